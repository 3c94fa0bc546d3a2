/**
 * A deployment in which every request may meet either of the two: whatever a person does, request by request at one side or
 * the other, both sides agree on who is signed in, and nothing is lost on the way.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Config } from "../differential/Implementation.ts"
import { random } from "../differential/Generator.ts"
import { email, oauth, oidc, type Pair, pair, password, type Side, whoAt, type World } from "./Pair.ts"

const checks: ReadonlyArray<ReadonlyArray<string> | undefined> = [
  undefined,
  ["pkce"],
  ["state"],
  ["pkce", "state"],
  ["nonce"],
  ["pkce", "state", "nonce"]
]

interface Draw {
  readonly side: () => Side
  readonly one: <A>(list: ReadonlyArray<A>, fallback: A) => A
}

const drawing = (seed: number): Draw => {
  const next = random(seed)
  return {
    side: () => (next() < 0.5 ? "there" : "here"),
    one: (list, fallback) => list[Math.floor(next() * list.length)] ?? fallback
  }
}

/** A form, at the side that issued its token: Auth.js keeps a token through a sign-in, and this library does not. */
const submit = async (
  { browser, turn }: Pair,
  { side }: Draw,
  path: string,
  form: Readonly<Record<string, string>> = {}
): Promise<Response> => {
  turn(side())
  const csrfToken = await browser.csrfToken()
  return browser.post(path, { ...form, csrfToken })
}

const ours: Side = "here"

/** A flow of Auth.js ends at either side, a flow of this library here. */
const follow = ({ browser, side, turn }: Pair, draw: Draw, address: string): Promise<Response> => {
  const { pathname, search } = new URL(address)
  if (side() !== ours) turn(draw.side())
  return browser.get(`${pathname}${search}`)
}

const isAtTarget = (answer: Response): boolean =>
  new URL(answer.headers.get("location") ?? "https://none.example").pathname === "/in"

const target = { callbackUrl: "/in" }

/** Steps of a person; each answers the signed-in user afterwards. */
const deeds = {
  password: async (at: Pair, draw: Draw): Promise<string> => {
    const username = draw.one(["Ada", "Grace", "Alan"], "Ada")
    const answer = await submit(at, draw, "/auth/callback/password", { username, password: "secret", ...target })
    assert.isTrue(isAtTarget(answer), answer.headers.get("location") ?? "")
    return username
  },
  provider: async (at: Pair, draw: Draw): Promise<string> => {
    const begun = await submit(at, draw, "/auth/signin/acme", target)
    const answer = await follow(at, draw, at.idp.authorize(begun.headers.get("location") ?? "").href)
    assert.isTrue(isAtTarget(answer), answer.headers.get("location") ?? "")
    return "Ada Lovelace"
  },
  twoTabs: async (at: Pair, draw: Draw): Promise<string> => {
    // The first attempt is left behind; the second one is finished.
    await submit(at, draw, "/auth/signin/acme", target)
    return deeds.provider(at, draw)
  },
  wrong: async (at: Pair, draw: Draw, who: string | undefined): Promise<string | undefined> => {
    await submit(at, draw, "/auth/callback/password", { username: "Eve", password: "wrong" })
    at.logged.length = 0
    return who
  },
  leave: async (at: Pair, draw: Draw): Promise<undefined> => {
    await submit(at, draw, "/auth/signout")
    return undefined
  },
  rename: async (at: Pair, draw: Draw, who: string | undefined): Promise<string | undefined> => {
    const name = draw.one(["Renamed", "Other"], "Renamed")
    at.turn(draw.side())
    const csrfToken = await at.browser.csrfToken()
    await at.browser.send("POST", "/auth/session", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ csrfToken, data: { name } })
    })
    return who === undefined ? undefined : name
  }
}

type Deed = (at: Pair, draw: Draw, who: string | undefined) => Promise<string | undefined>

const live = async (at: Pair, draw: Draw, known: ReadonlyArray<Deed>, count: number): Promise<void> => {
  let who: string | undefined
  for (let step = 0; step < count; step++) {
    who = await draw.one(known, deeds.leave)(at, draw, who)
    for (const side of ["here", "there"] as const) assert.strictEqual(await whoAt(at, side), who)
    assert.deepStrictEqual(at.logged, [])
  }
}

const update = {
  jwt: ({ session, token, trigger }: { session?: { name?: string }; token: object; trigger?: string }) =>
    trigger === "update" ? { ...token, name: session?.name } : token
}

const visits = Array.from({ length: 60 }, (_, index) => index + 1)

describe("a deployment of both", () => {
  for (const openid of [false, true]) {
    it(`with tokens, ${openid ? "OpenID Connect" : "OAuth"}: no user is signed out`, async () => {
      for (const seed of visits) {
        const draw = drawing(seed)
        const listed = draw.one(checks, undefined)
        const fitting = openid ? listed : listed?.filter((check) => check !== "nonce")
        const more = fitting === undefined ? {} : { checks: fitting.length === 0 ? ["pkce"] : fitting }
        const config = (world: World): Config => ({
          callbacks: update,
          providers: [openid ? oidc(world, more) : oauth(world, more), password()]
        })
        const { leave, password: byPassword, provider, rename, twoTabs, wrong } = deeds
        await live(pair({ openid, config }), draw, [byPassword, provider, twoTabs, wrong, leave, rename], 7)
      }
    }, 240_000)
  }

  it("with sessions in a database: no user is signed out", async () => {
    for (const seed of visits) {
      const draw = drawing(seed)
      const config = (world: World): Config => ({
        adapter: world.store.adapter(),
        providers: [oauth(world, { checks: ["pkce", "state"] }), email(world)]
      })
      const at = pair({ config })
      const address = `rolling-${seed}@example.com`
      const byLink: Deed = async (at, draw) => {
        await deeds.leave(at, draw)
        const asked = await submit(at, draw, "/auth/signin/email", { email: address, ...target })
        assert.include(asked.headers.get("location") ?? "", "/auth/verify-request")
        const answer = await follow(at, draw, at.links.at(-1) ?? "")
        assert.isTrue(isAtTarget(answer), answer.headers.get("location") ?? "")
        at.turn(draw.side())
        assert.strictEqual((await at.browser.session())?.user?.["email"], address)
        return undefined
      }
      let links = 0
      const first: Deed = async (at, draw, who) => {
        if (links++ > 2) return who
        await byLink(at, draw, who)
        return deeds.leave(at, draw)
      }
      const byProvider: Deed = async (at, draw) => {
        await deeds.leave(at, draw)
        return deeds.provider(at, draw)
      }
      const again: Deed = async (_at, _draw, who) => Promise.resolve(who)
      await live(at, draw, [first, byProvider, deeds.leave, again], 6)
      assert.isAtMost(at.store.sessions.length, 1)
      assert.deepStrictEqual(at.store.tokens, [])
    }
  }, 240_000)
})
