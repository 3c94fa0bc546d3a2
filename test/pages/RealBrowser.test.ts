/**
 * The built-in pages in a real Chromium: what the policy does to them, what a person with a keyboard meets, which
 * requests they make, and whether every text can be read in both schemes.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createServer, type Server } from "node:http"
import * as Pages from "../../src/pages/BuiltInPages.ts"
import { launchBrowser, type TestBrowser, type Visitor } from "../real/Browser.ts"
import { lowestContrast } from "./Contrast.ts"
import { credentials, csrfToken, email, frame, markupCorpus, redirects } from "./Samples.ts"

interface Arrival {
  readonly host: string
  readonly method: string
  readonly path: string
  readonly origin: string | undefined
  readonly body: string
}

let server: Server
let port = 0
let browser: TestBrowser
const served = new Map<string, Pages.Page>()
const redirectsTo = new Map<string, string>()
let arrivals: Array<Arrival> = []

const origin = (name: string): string => `http://${name}.localhost:${port}`

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const path = request.url ?? "/"
      arrivals.push({
        host: request.headers.host ?? "",
        method: request.method ?? "",
        path,
        origin: request.headers.origin,
        body: Buffer.concat(chunks).toString()
      })
      const page = served.get(path)
      const target = redirectsTo.get(`${(request.headers.host ?? "").split(".")[0]}${path}`)
      if (page !== undefined && request.method === "GET") response.writeHead(page.status, page.headers).end(page.body)
      else if (target !== undefined) response.writeHead(302, { location: target }).end()
      else response.writeHead(path === "/favicon.ico" ? 204 : 200, { "content-type": "text/plain" }).end("arrived")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const address = server.address()
  port = typeof address === "object" && address !== null ? address.port : 0
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await new Promise((resolve) => server.close(resolve))
})

const here = (theme: Partial<Pages.PageTheme> = {}): Pages.PageFrame =>
  frame(theme, { homeUrl: origin("app"), homeLabel: "app.example.com" })

/** One visitor for several pages; every page must show without a complaint and without a request to another machine. */
interface Reader {
  readonly show: <A>(page: Pages.Page, look: (visitor: Visitor) => Promise<A>) => Promise<A>
  readonly leave: () => Promise<void>
}

const reader = async (options: Parameters<TestBrowser["visitor"]>[0] = {}): Promise<Reader> => {
  const visitor = await browser.visitor(options)
  return {
    show: async (page, look) => {
      served.clear()
      served.set("/auth/page", page)
      arrivals = []
      const before = visitor.complaints.length
      await visitor.page.goto(`${origin("app")}/auth/page`)
      const found = await look(visitor)
      // A browser notes the status of a refused document itself; everything else would be a fault of the page.
      const noted =
        page.status < 400 ? [] : [`Failed to load resource: the server responded with a status of ${page.status}`]
      assert.deepStrictEqual(
        visitor.complaints.slice(before).map((text) => text.replace(/ \([A-Za-z ]+\)$/, "")),
        noted
      )
      assert.deepStrictEqual(visitor.strangers, [])
      return found
    },
    leave: () => visitor.context.close()
  }
}

const visit = async <A>(
  page: Pages.Page,
  look: (visitor: Visitor) => Promise<A>,
  options: Parameters<TestBrowser["visitor"]>[0] = {}
): Promise<A> => {
  const one = await reader(options)
  const found = await one.show(page, look)
  await one.leave()
  return found
}

const all: ReadonlyArray<Pages.SignInEntry> = [...redirects, credentials, email]
const signIn = (content: Partial<Pages.SignInContent> = {}, of = here()): Pages.Page =>
  Pages.signIn(of, { providers: all, csrfToken, callbackUrl: "/home", ...content })

const everyPage = (of: Pages.PageFrame): Readonly<Record<string, Pages.Page>> => ({
  signIn: signIn({ error: "CredentialsSignin" }, of),
  notice: signIn({ error: "SessionRequired" }, of),
  signOut: Pages.signOut(of, { csrfToken, callbackUrl: "/home" }),
  error: Pages.error(of, { error: "AccessDenied", requestId: "req_1" }),
  clientError: Pages.clientError(of, { status: 404 }),
  verifyRequest: Pages.verifyRequest(of),
  confirm: Pages.confirm(of, {
    providerId: "email",
    email: "ann@example.com",
    isKnown: true,
    token: "0123456789abcdef",
    csrfToken,
    callbackUrl: "/home",
    other: "bob@example.com",
    pressesItself: false
  })
})

describe("pages in a real browser", () => {
  it("H215 every page shows itself without a violation of its policy and without a foreign request", async () => {
    const one = await reader({ viewport: { width: 390, height: 844 } })
    for (const theme of [{}, { brandColor: "#0f766e", logo: "/logo.svg" }]) {
      for (const [name, page] of Object.entries(everyPage(here(theme)))) {
        const styled = await one.show(page, ({ page: tab }) =>
          tab.evaluate(() => ({
            sheets: document.styleSheets.length,
            width: document.querySelector(".card")?.getBoundingClientRect().width ?? 0,
            scripts: document.scripts.length
          }))
        )
        assert.deepStrictEqual(styled, { sheets: "brandColor" in theme ? 2 : 1, width: 342, scripts: 0 }, name)
        const known = ["/auth/page", "/favicon.ico", "/logo.svg"]
        assert.deepStrictEqual(
          arrivals.filter(({ path }) => !known.includes(path)),
          [],
          name
        )
      }
    }
    await one.leave()
  })

  it("H215 the policy stops a script and styles that would get into a page", async () => {
    const page = signIn()
    const body = page.body.replace(
      "<h1>",
      "<script>document.title='run'</script><style>h1{color:red}</style><h1 style=\"color:blue\">"
    )
    served.clear()
    served.set("/auth/page", { ...page, body })
    const visitor = await browser.visitor()
    await visitor.page.goto(`${origin("app")}/auth/page`)
    assert.notStrictEqual(await visitor.page.title(), "run")
    assert.strictEqual(
      await visitor.page.evaluate(() => getComputedStyle(document.querySelector("h1") ?? document.body).color),
      "rgb(27, 27, 31)"
    )
    assert.lengthOf(
      visitor.complaints.filter((text) => text.includes("Content Security Policy")),
      3
    )
    await visitor.context.close()
  })

  it("H093 no other page can frame a page", async () => {
    const outer = { status: 200, headers: { "content-type": "text/html" }, body: '<iframe src="/auth/page"></iframe>' }
    const formsInFrame = async (page: Pages.Page): Promise<number | undefined> => {
      served.clear()
      served.set("/auth/page", page)
      served.set("/frame", outer)
      const visitor = await browser.visitor()
      await visitor.page.goto(`${origin("app")}/frame`)
      const count = await visitor.page.frames()[1]?.locator("form").count()
      await visitor.context.close()
      return count
    }
    const page = signIn({ providers: [credentials] })
    assert.strictEqual(await formsInFrame(page), 0)
    assert.strictEqual(await formsInFrame({ ...page, headers: { "content-type": "text/html" } }), 1)
  })

  it("a provider's button leads through every redirect to where the person signs in, with the own origin in Origin", async () => {
    redirectsTo.set("app/auth/signin/github", `${origin("provider")}/authorize`)
    redirectsTo.set("provider/authorize", `${origin("federated")}/login`)
    await visit(signIn(), async ({ page: tab }) => {
      await tab.click("#submitButton-github")
      await tab.waitForURL(`${origin("federated")}/login`)
    })
    const post = arrivals.find(({ method }) => method === "POST")
    assert.strictEqual(post?.origin, origin("app"))
    assert.strictEqual(post?.body, `csrfToken=${csrfToken}&callbackUrl=%2Fhome`)
  })

  it("the page of a sign-out sends its form nowhere else", async () => {
    const page = Pages.signOut(here(), { csrfToken, callbackUrl: "/home" })
    const body = page.body.replace('action="/auth/signout"', `action="${origin("evil")}/take"`)
    served.clear()
    served.set("/auth/page", { ...page, body })
    arrivals = []
    const visitor = await browser.visitor()
    await visitor.page.goto(`${origin("app")}/auth/page`)
    const refused = visitor.page.waitForEvent("console")
    await visitor.page.click("form button", { noWaitAfter: true })
    assert.include((await refused).text(), "form-action")
    assert.deepStrictEqual(
      arrivals.filter(({ host }) => host.startsWith("evil")),
      []
    )
    await visitor.context.close()
  })

  it("H220 the keyboard meets every control once, in reading order, and Enter sends the form", async () => {
    const providers = [...redirects.slice(0, 2), credentials]
    const order = await visit(signIn({ providers }), async ({ page: tab }) => {
      const seen: Array<string> = []
      for (let step = 0; step < 6; step++) {
        await tab.keyboard.press("Tab")
        seen.push(
          await tab.evaluate(() => {
            const active = document.activeElement
            const ring = active === null ? "" : getComputedStyle(active).outlineStyle
            return `${active?.id || active?.className || ""} ${ring}`
          })
        )
      }
      await tab.fill("#input-username-for-credentials-provider", "ann")
      await tab.fill("#input-password-for-credentials-provider", "correct horse")
      await tab.keyboard.press("Enter")
      await tab.waitForURL("**/auth/callback/credentials")
      return seen
    })
    assert.deepStrictEqual(order, [
      "submitButton-github solid",
      "submitButton-google solid",
      "input-username-for-credentials-provider solid",
      "input-password-for-credentials-provider solid",
      "submitButton-credentials solid",
      "site solid"
    ])
    const post = arrivals.find(({ method }) => method === "POST")
    assert.deepStrictEqual(Object.fromEntries(new URLSearchParams(post?.body)), {
      csrfToken,
      callbackUrl: "/home",
      username: "ann",
      password: "correct horse"
    })
  })

  it("a screen reader hears names, labels and the message", async () => {
    const heard = await visit(
      signIn({ providers: [...redirects.slice(0, 5), credentials], error: "CredentialsSignin" }),
      ({ page: tab }) => tab.locator("main").ariaSnapshot()
    )
    for (const line of [
      'heading "Sign in" [level=1]',
      "alert",
      'button "Sign in with GitHub"',
      'button "Sign in with Discord"',
      'textbox "User name"',
      'textbox "Password"',
      'button "Sign in"'
    ]) {
      assert.include(heard, line)
    }
    assert.notInclude(heard, "img")
  })

  for (const colorScheme of ["light", "dark"] as const) {
    it(`every text reaches 4.5 : 1 in the ${colorScheme} scheme`, async () => {
      const one = await reader({ colorScheme })
      for (const theme of [{}, { brandColor: "gold" }, { brandColor: "#0f766e" }]) {
        for (const [name, page] of Object.entries(everyPage(here(theme)))) {
          const lowest = await one.show(page, ({ page: tab }) => tab.evaluate(lowestContrast))
          assert.isAtLeast(lowest.ratio, 4.5, `${name}: ${lowest.text}`)
        }
      }
      await one.leave()
    })
  }

  it("a fixed color scheme wins over the system's", async () => {
    const background = (scheme: Pages.PageTheme["colorScheme"], colorScheme: "light" | "dark"): Promise<string> =>
      visit(
        Pages.verifyRequest(here({ colorScheme: scheme })),
        ({ page: tab }) => tab.evaluate(() => getComputedStyle(document.body).backgroundColor),
        { colorScheme }
      )
    const light = "rgb(243, 243, 240)"
    const dark = "rgb(16, 16, 19)"
    assert.deepStrictEqual(
      [
        await background("auto", "light"),
        await background("auto", "dark"),
        await background("dark", "light"),
        await background("light", "dark")
      ],
      [light, dark, dark, light]
    )
  })

  it("nothing overflows a small phone, and nothing to press is small", async () => {
    const long = "Donaudampfschifffahrtsgesellschaftskapitän & Söhne International Identity"
    const providers: ReadonlyArray<Pages.SignInEntry> = [
      ...redirects,
      { kind: "redirect", id: "long", name: long },
      credentials
    ]
    const measured = await visit(
      signIn({ providers, error: "OAuthAccountNotLinked" }),
      ({ page: tab }) =>
        tab.evaluate(() => ({
          overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          smallest: Math.min(
            ...[...document.querySelectorAll(".button, input:not([type=hidden])")].map(
              (one) => one.getBoundingClientRect().height
            )
          )
        })),
      { viewport: { width: 320, height: 568 } }
    )
    assert.strictEqual(measured.overflow, 0)
    assert.isAtLeast(measured.smallest, 44)
  })

  it("moves nothing for a person who asks for less motion", async () => {
    const transition = await visit(
      signIn(),
      ({ page: tab }) =>
        tab.evaluate(() => getComputedStyle(document.querySelector(".button") ?? document.body).transitionProperty),
      { reducedMotion: "reduce" }
    )
    assert.strictEqual(transition, "none")
  })

  it("H225, H224, H213 hostile text stays text in a real parser", async () => {
    const one = await reader()
    for (const text of markupCorpus) {
      const page = Pages.signIn(
        { ...here(), homeLabel: text },
        {
          providers: [
            { kind: "redirect", id: text, name: text, style: { brandColor: text, logo: text } },
            { kind: "email", id: text, name: text },
            {
              kind: "credentials",
              id: text,
              name: text,
              fields: [{ name: text, label: text, placeholder: text, attributes: { title: text } }]
            }
          ],
          csrfToken: text,
          callbackUrl: text,
          error: text,
          code: text,
          email: text
        }
      )
      const found = await one.show(page, ({ page: tab }) =>
        tab.evaluate(() => ({
          elements: [...new Set([...document.body.querySelectorAll("*")].map((element) => element.localName))].sort(),
          handlers: [...document.querySelectorAll("*")].flatMap((element) =>
            element.getAttributeNames().filter((name) => name.startsWith("on"))
          ),
          name: document.querySelector(".provider bdi")?.textContent,
          title: document.title
        }))
      )
      const allowed = [
        "a",
        "bdi",
        "button",
        "circle",
        "div",
        "form",
        "h1",
        // Any address may be that of a logo, which a browser shows or does not.
        "img",
        "input",
        "label",
        "main",
        "p",
        "path",
        "rect",
        "span",
        "svg",
        "text"
      ]
      assert.deepStrictEqual(
        found.elements.filter((name) => !allowed.includes(name)),
        [],
        text
      )
      assert.deepStrictEqual(found.handlers, [], text)
      assert.strictEqual(found.name, text.replaceAll("\0", "\ufffd").replace(/[\ud800-\udfff]/gu, "\ufffd"))
      assert.notStrictEqual(found.title, "run")
    }
    await one.leave()
  })
})
