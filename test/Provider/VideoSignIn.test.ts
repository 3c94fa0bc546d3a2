/**
 * Whole sign-ins at the video platform through the facade, and the form of its profile.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { SignInParams } from "../../src/Callbacks.ts"
import { Auth, customFetch } from "../../src/index.ts"
import { Video, VideoPlatformError, VideoProfile } from "../../src/Provider/Video.ts"
import { listener, secret, site, visitor } from "../Visitor.ts"

const addresses = { authUrl: "https://www.video.example", apiUrl: "https://open.video.example" }
const clientSecret = "canary-client-secret"
const accessToken = "canary-access-token"
const refreshToken = "canary-refresh-token"
const words = "canary words of the platform"

const person = { open_id: "open-1", display_name: "Ada", username: "ada", avatar_url: "https://img.example/a.png" }
const fine = { data: { user: person }, error: { code: "ok", log_id: "log-0", message: "" } }

interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string
}

/** A site with the platform in memory; `userinfo` is what the platform answers about the person. */
const world = (userinfo: () => Response = () => Response.json(fine)) => {
  const sent: Array<Sent> = []
  const asked: Array<SignInParams> = []
  const { logger, told } = listener()
  const fetcher: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    sent.push({ method: request.method, url: request.url, headers: request.headers, body: await request.text() })
    switch (new URL(request.url).pathname) {
      case "/v2/oauth/token/":
        return Response.json({
          access_token: accessToken,
          refresh_token: refreshToken,
          token_type: "Bearer",
          expires_in: 3600,
          scope: "user.info.profile",
          open_id: "open-1"
        })
      case "/v2/user/info/":
        return userinfo()
      default:
        return new Response("nothing here", { status: 404 })
    }
  }
  const config = {
    secret,
    trustHost: true,
    basePath: "/auth",
    logger,
    providers: [Video({ clientId: "key-1", clientSecret, ...addresses, [customFetch]: fetcher })],
    callbacks: {
      signIn: (params: SignInParams) => {
        asked.push(params)
        return true
      }
    }
  }
  const browser = visitor((request) => Auth(request, config))
  const leave = async () => new URL((await browser.submit("/auth/signin/video")).headers.get("location") ?? "")
  const comeBack = (away: URL) => {
    const back = new URL(away.searchParams.get("redirect_uri") ?? "")
    back.searchParams.set("code", "code-1")
    const state = away.searchParams.get("state")
    if (state !== null) back.searchParams.set("state", state)
    return browser.get(back.pathname + back.search)
  }
  return { asked, browser, comeBack, leave, sent, told }
}

/** An error and all its causes. */
const chainOf = (error: unknown): ReadonlyArray<Error> =>
  error instanceof Error ? [error, ...chainOf(error.cause)] : []

/** Everything that a logger could write of an error. */
const writtenOf = (error: unknown): string =>
  chainOf(error)
    .map((one) => `${one.stack} ${one.message} ${JSON.stringify(one)} ${JSON.stringify(Object.entries(one))}`)
    .join("\n")

/** Plays a sign-in that fails; where it ends and what the logger was told. */
const failing = async (userinfo: () => Response) => {
  const { browser, comeBack, leave, told } = world(userinfo)
  const response = await comeBack(await leave())
  assert.strictEqual(response.status, 302)
  assert.isNull(await browser.session())
  assert.strictEqual(told.errors.length, 1)
  const written = writtenOf(told.errors[0])
  for (const one of [accessToken, refreshToken, clientSecret, words, "code-1"]) {
    assert.notInclude(written, one)
    assert.notInclude(`${response.headers.get("location")}`, one)
  }
  return {
    location: response.headers.get("location"),
    error: told.errors[0],
    platform: chainOf(told.errors[0]).find((one) => one instanceof VideoPlatformError)
  }
}

const to = (code: string) => `${site}/auth/signin?error=OAuthCallbackError&code=${code}`

describe("a sign-in at the video platform", () => {
  it.effect("sends the browser there, redeems the code and asks for the person", () =>
    Effect.promise(async () => {
      const { asked, browser, comeBack, leave, sent, told } = world()
      const away = await leave()
      assert.strictEqual(away.origin + away.pathname, "https://www.video.example/v2/auth/authorize")
      assert.strictEqual(away.searchParams.get("client_key"), "key-1")
      assert.strictEqual(away.searchParams.get("scope"), "user.info.profile")
      assert.strictEqual(away.searchParams.get("response_type"), "code")
      assert.strictEqual(away.searchParams.get("redirect_uri"), `${site}/auth/callback/video`)
      const response = await comeBack(away)
      assert.deepStrictEqual(told.errors, [])
      assert.strictEqual(response.headers.get("location"), site)

      const [token, userinfo, ...others] = sent
      assert.deepStrictEqual(others, [])
      assert.strictEqual(token?.method, "POST")
      assert.strictEqual(token?.url, "https://open.video.example/v2/oauth/token/")
      assert.match(token?.headers.get("content-type") ?? "", /^application\/x-www-form-urlencoded/)
      assert.isNull(token?.headers.get("authorization") ?? null)
      const form = new URLSearchParams(token?.body)
      for (const [name, value] of [
        ["client_key", "key-1"],
        ["client_secret", clientSecret],
        ["grant_type", "authorization_code"],
        ["code", "code-1"],
        ["redirect_uri", `${site}/auth/callback/video`]
      ] as const) {
        assert.deepStrictEqual(form.getAll(name), [value], name)
      }
      assert.strictEqual(userinfo?.method, "GET")
      assert.strictEqual(
        decodeURIComponent(userinfo?.url ?? ""),
        "https://open.video.example/v2/user/info/?fields=open_id,avatar_url,display_name,username"
      )
      assert.strictEqual(userinfo?.headers.get("authorization"), `Bearer ${accessToken}`)
      assert.strictEqual(userinfo?.body, "")

      const [signIn] = asked
      assert.deepInclude(signIn?.user, { name: "Ada", email: "ada", image: person.avatar_url })
      assert.deepInclude(signIn?.account, {
        provider: "video",
        type: "oauth",
        providerAccountId: "open-1",
        access_token: accessToken,
        refresh_token: refreshToken,
        token_type: "bearer",
        scope: "user.info.profile"
      })
      assert.isNumber(signIn?.account?.["expires_at"])
      assert.deepStrictEqual(signIn?.profile, fine)
      assert.deepStrictEqual((await browser.session())?.user, { name: "Ada", email: "ada", image: person.avatar_url })
    })
  )

  const error = { code: "access_token_invalid", log_id: "2026ABC.log-1", message: words }
  for (const [status, code, body] of [
    [200, "profile_invalid", { data: {}, error }],
    [200, "profile_invalid", { error }],
    [401, "invalid_response", { data: {}, error }],
    [401, "invalid_response", { error }],
    [403, "invalid_response", { error }],
    [429, "provider_unavailable", { error }],
    [500, "provider_unavailable", { error }]
  ] as const) {
    it.effect(`an error object on ${status} is a cause with code and log id: ${Object.keys(body).join()}`, () =>
      Effect.promise(async () => {
        const { location, platform } = await failing(() => Response.json(body, { status }))
        assert.strictEqual(location, to(code))
        assert.deepInclude(platform, {
          _tag: "VideoPlatformError",
          code: "access_token_invalid",
          logId: "2026ABC.log-1"
        })
      })
    )
  }

  for (const [title, odd, shown] of [
    ["long", { code: "c".repeat(65), log_id: "l".repeat(65) }, ["unknown", "unknown"]],
    ["of 64 characters", { code: "c".repeat(64), log_id: "l".repeat(64) }, ["c".repeat(64), "l".repeat(64)]],
    ["with markup", { code: "<b>", log_id: "a\r\nb" }, ["unknown", "unknown"]],
    ["no text", { code: "e", log_id: { a: 1 } }, ["e", "unknown"]],
    ["absent", { code: "e" }, ["e", "unknown"]]
  ] as const) {
    for (const status of [200, 401]) {
      it.effect(`code and log id are repeated only as short words: ${title}, ${status}`, () =>
        Effect.promise(async () => {
          const { platform } = await failing(() => Response.json({ error: odd }, { status }))
          assert(platform instanceof VideoPlatformError)
          assert.deepStrictEqual<ReadonlyArray<string>>([platform.code, platform.logId], shown)
        })
      )
    }
  }

  for (const [title, body] of [
    ["nothing", () => new Response(null, { status: 401 })],
    ["text", () => new Response(words, { status: 401 })],
    ["an error object that is not marked as JSON", () => new Response(JSON.stringify({ error }), { status: 401 })],
    ["broken JSON", () => new Response('{"error":', { status: 401, headers: { "content-type": "application/json" } })],
    ["a list", () => Response.json([{ error }], { status: 401 })],
    ["the error of OAuth", () => Response.json({ error: "invalid_token" }, { status: 401 })],
    ["an error that is none", () => Response.json({ error: { code: "ok", log_id: "l" } }, { status: 401 })],
    ["an empty code", () => Response.json({ error: { code: "", log_id: "l" } }, { status: 401 })],
    ["a code that is no text", () => Response.json({ error: { code: 7, log_id: "l" } }, { status: 401 })],
    ["a person", () => Response.json(fine, { status: 401 })],
    ["more than 512 kB", () => Response.json({ error, filler: "x".repeat(600_000) }, { status: 401 })]
  ] as const) {
    it.effect(`another answer with 401 is judged by its status: ${title}`, () =>
      Effect.promise(async () => {
        const seen = await failing(body)
        assert.strictEqual(seen.location, to("invalid_response"))
        assert.isUndefined(seen.platform)
        assert.isUndefined(seen.error?.cause)
      })
    )
  }
})

describe("VideoProfile", () => {
  const text = [
    "display_name",
    "username",
    "avatar_url",
    "avatar_url_100",
    "avatar_large_url",
    "bio_description",
    "profile_deep_link",
    "union_id",
    "email"
  ]
  const numbers = ["follower_count", "following_count", "likes_count", "video_count"]
  const user: Readonly<Record<string, unknown>> = {
    open_id: "open-1",
    ...Object.fromEntries(text.map((name) => [name, `the ${name}`])),
    ...Object.fromEntries(numbers.map((name, index) => [name, index])),
    is_verified: true
  }
  const error = { code: "ok", log_id: "log-1", message: "fine" }
  const decode = Schema.decodeUnknownResult(VideoProfile(Schema))
  const accepts = (value: unknown) => Result.isSuccess(decode(value))
  const withMember = (name: string, value: unknown) => ({ data: { user: { ...user, [name]: value } }, error })

  it("reads every field of the table, and no other", () => {
    // Members that the schema does not know are left out by decoding: a field deleted from it is missing here.
    const whole = { data: { user }, error }
    assert.strictEqual(Object.keys(user).length, 15)
    assert.deepStrictEqual<unknown>(
      Result.getOrThrow(decode({ data: { user: { ...user, other: 1 }, other: 1 }, error: { ...error, other: 1 } })),
      whole
    )
  })

  for (const name of ["open_id", "display_name", "username", "avatar_url"]) {
    it(`needs ${name}`, () => {
      const { [name]: _, ...others } = user
      assert.isFalse(accepts({ data: { user: others }, error }))
      for (const value of [null, undefined, 1, true, {}, []]) {
        assert.isFalse(accepts(withMember(name, value)), JSON.stringify(value))
      }
    })
  }

  it("needs an object of the user", () => {
    for (const data of [{}, { user: null }, { user: [] }, null]) {
      assert.isFalse(accepts({ data, error }), JSON.stringify(data))
    }
    assert.isFalse(accepts(withMember("open_id", "")), "an empty id identifies nobody")
  })

  const optional = text.filter((name) => !["display_name", "username", "avatar_url"].includes(name))
  for (const [names, right, wrong] of [
    [optional, ["", "x", undefined], [0, 1, true, {}, ["x"], null]],
    [numbers, [0, 1.5, -1, undefined], ["1", "", true, {}, [1], Number.NaN, Number.POSITIVE_INFINITY, null]],
    [["is_verified"], [true, false, undefined], ["true", 0, 1, {}, [true], null]]
  ] as const) {
    for (const name of names) {
      it(`${name}: the right type, or nothing`, () => {
        for (const value of right) assert.isTrue(accepts(withMember(name, value)), JSON.stringify(value))
        for (const value of wrong) assert.isFalse(accepts(withMember(name, value)), JSON.stringify(value))
      })
    }
  }

  for (const name of ["code", "log_id", "message"]) {
    it(`error.${name}: text`, () => {
      const given = (value: unknown) => ({ data: { user }, error: { ...error, [name]: value } })
      for (const value of ["", "x"]) assert.isTrue(accepts(given(value)), JSON.stringify(value))
      for (const value of [0, true, {}, ["x"], null, undefined]) {
        assert.isFalse(accepts(given(value)), JSON.stringify(value))
      }
    })
  }

  it("needs the error object", () => {
    for (const one of [undefined, null, {}, "x", 1, []]) {
      assert.isFalse(accepts({ data: { user }, error: one }), JSON.stringify(one))
    }
  })
})

describe("the user of a profile", () => {
  const userOf = async (person: object) => {
    const { browser, comeBack, leave } = world(() => Response.json({ data: { user: person } }))
    await comeBack(await leave())
    return (await browser.session())?.user
  }
  const id = { open_id: "open-1" }

  it("is there without the members that `fields` did not name", async () => {
    assert.deepStrictEqual(await userOf(id), { name: null, email: null, image: null })
  })

  for (const [title, given, email] of [
    ["the email comes first", { email: "ada@example.com", username: "ada" }, "ada@example.com"],
    ["then the user name", { username: "ada" }, "ada"],
    ["also for an empty email", { email: "", username: "ada" }, "ada"],
    ["also for null", { email: null, username: "ada" }, "ada"],
    ["nothing for an empty user name", { username: "" }, null],
    ["nothing for a user name that could be an email", { username: "eve@example.com" }, null],
    ["the same for an empty email", { email: "", username: "eve@example.com" }, null]
  ] as const) {
    it(`email: ${title}`, async () => assert.strictEqual((await userOf({ ...id, ...given }))?.["email"], email))
  }
})
