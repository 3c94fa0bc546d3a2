/** Arguments and abilities of a provider's `customFetch`: beside `@auth/core`. */
import * as Core from "@auth/core"
import { assert, describe, it } from "@effect/vitest"
import * as Library from "../../src/index.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"
import { secret, visitor } from "../Visitor.ts"

type Fetch = typeof globalThis.fetch

interface Side {
  readonly name: string
  readonly answer: (request: Request, config: object) => Promise<Response>
  readonly customFetch: symbol
}

// The tests give both the same objects, whose keys differ in the marker alone.
const theirs = (request: Request, config: object): Promise<Response> =>
  Core.Auth(request, config as Omit<Core.AuthConfig, "raw">)
const ours = (request: Request, config: object): Promise<Response> =>
  Library.Auth(request, config as Omit<Library.AuthConfig, "raw">)

const sides: readonly [Side, Side] = [
  { name: "@auth/core", answer: theirs, customFetch: Core.customFetch },
  { name: "this library", answer: ours, customFetch: Library.customFetch }
]

interface Run {
  /** One line for every call, as the function sees it. */
  readonly seen: ReadonlyArray<string>
  /** Requests to the token endpoint of the provider. */
  readonly token: { readonly body: URLSearchParams; readonly headers: Headers } | undefined
  readonly user: unknown
}

const kindOf = (value: unknown): string =>
  value === undefined || value === null ? "nothing" : typeof value === "object" ? value.constructor.name : typeof value

let runs = 0

/** Signs somebody in at a provider whose `customFetch` is made from that of the provider in memory. */
const signIn = async (side: Side, kind: "oauth" | "oidc", wrap: (inner: Fetch) => Fetch): Promise<Run> => {
  const provider = memoryProvider()
  const seen: Array<string> = []
  const own = wrap(provider.fetch)
  const fetcher: Fetch = (input, init) => {
    const url = new URL(input as string)
    if (!url.pathname.endsWith("/keys") && !url.pathname.endsWith("/jwks")) {
      seen.push(
        [
          kindOf(input),
          init?.method,
          url.href,
          `body ${kindOf(init?.body)}`,
          `headers ${kindOf(init?.headers)}`,
          init?.redirect
        ].join(" ")
      )
    }
    return own(input, init)
  }
  const endpoints = {
    type: "oauth",
    issuer: undefined,
    authorization: "https://idp.example/authorize?scope=openid",
    token: "https://idp.example/token",
    userinfo: "https://idp.example/userinfo",
    checks: ["pkce", "state"],
    token_type: undefined,
    profile: (profile: { readonly sub: string; readonly name: string }) => ({ id: profile.sub, name: profile.name })
  }
  const config = {
    // Documents of a provider are kept by its id and the secret.
    secret: `${secret} ${++runs}`,
    trustHost: true,
    basePath: "/auth",
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    providers: [idp({ ...(kind === "oauth" ? endpoints : {}), [side.customFetch]: fetcher })]
  }
  if (kind === "oauth") {
    // An ID token would be read by one side alone.
    provider.script["/token"] = () => Response.json({ access_token: "access-token-1", token_type: "Bearer" })
  }
  const browser = visitor((request) => side.answer(request, config))
  const away = await browser.submit("/auth/signin/idp")
  const back = provider.agree(away.headers.get("location") ?? "")
  await browser.get(back.pathname + back.search)
  const received = provider.received.find(({ path }) => path === "/token")
  return {
    seen,
    token: received === undefined ? undefined : { body: new URLSearchParams(received.body), headers: received.headers },
    user: (await browser.session())?.user
  }
}

const shapes: ReadonlyArray<readonly [string, (inner: Fetch) => Fetch]> = [
  ["hands on what it got", (inner) => inner],
  [
    "appends to the body",
    (inner) => (input, init) => {
      if (init?.body instanceof URLSearchParams) init.body.append("extra", "a b")
      return inner(input, init)
    }
  ],
  [
    "sets a member of the body in place, and a header by its name",
    (inner) => (input, init) => {
      const body = init?.body as URLSearchParams | undefined
      body?.set("extra", "a b")
      Object.assign(init?.headers ?? {}, { "x-extra": "yes" })
      return inner(input, init)
    }
  ],
  [
    "makes a body and headers of its own from it",
    (inner) => (input, init) => {
      if (!init?.body) return inner(input, init)
      const body = new URLSearchParams(init.body as URLSearchParams)
      body.append("extra", "a b")
      const headers = new Headers(init.headers)
      headers.set("x-extra", "yes")
      return inner(new URL(input.toString()), { ...init, headers, body })
    }
  ],
  [
    "writes the body as text",
    (inner) => (input, init) =>
      inner(input, !init?.body ? init : { ...init, body: `${init.body?.toString()}&extra=a+b` })
  ],
  ["makes a request of it", (inner) => (input, init) => inner(new Request(input, init))],
  [
    "answers with a response of its own",
    (inner) => async (input, init) => {
      const response = await inner(input, init)
      return new Response(await response.text(), { status: response.status, headers: response.headers })
    }
  ]
]

describe("customFetch beside Auth.js", () => {
  for (const kind of ["oauth", "oidc"] as const) {
    for (const [name, wrap] of shapes) {
      it(`${kind}: one that ${name}`, async () => {
        const [peer, own] = [await signIn(sides[0], kind, wrap), await signIn(sides[1], kind, wrap)]
        // Auth.js asks for the discovery document at every step; the library keeps it.
        assert.deepStrictEqual([...new Set(own.seen)], [...new Set(peer.seen)])
        assert.deepStrictEqual(own.user, peer.user)
        assert.propertyVal(own.user, "name", "Ada")
        const names = (run: Run) => [...(run.token?.body.keys() ?? [])].sort()
        assert.deepStrictEqual(names(own), names(peer))
        assert.strictEqual(own.token?.body.get("extra"), peer.token?.body.get("extra"))
        for (const header of ["accept", "authorization", "content-type", "x-extra"]) {
          assert.strictEqual(own.token?.headers.get(header), peer.token?.headers.get(header), header)
        }
      })
    }
  }
})
