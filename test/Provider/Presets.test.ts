import PeerApple from "@auth/core/providers/apple"
import PeerAuth0 from "@auth/core/providers/auth0"
import PeerDiscord from "@auth/core/providers/discord"
import PeerGitHub from "@auth/core/providers/github"
import PeerGoogle from "@auth/core/providers/google"
import PeerKeycloak from "@auth/core/providers/keycloak"
import PeerEntra from "@auth/core/providers/microsoft-entra-id"
import PeerTikTok from "@auth/core/providers/tiktok"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type { Profile, TokenSet } from "../../src/Models.ts"
import { Apple } from "../../src/Provider/Apple.ts"
import { Auth0 } from "../../src/Provider/Auth0.ts"
import { Credentials } from "../../src/Provider/Credentials.ts"
import { readSubmission } from "../../src/Provider/internal/CredentialForm.ts"
import { Discord } from "../../src/Provider/Discord.ts"
import { GitHub } from "../../src/Provider/GitHub.ts"
import { Google } from "../../src/Provider/Google.ts"
import { Keycloak } from "../../src/Provider/Keycloak.ts"
import { MicrosoftEntraId } from "../../src/Provider/MicrosoftEntraId.ts"
import { mapProfile } from "../../src/Provider/internal/ProfileDecoder.ts"
import { withPresetTools } from "../../src/Provider/internal/ProfileRequest.ts"
import type { RedirectProvider } from "../../src/Provider/internal/Provider.ts"
import type { ProviderInput } from "../../src/Provider/internal/ProviderOptions.ts"
import * as Registry from "../../src/Provider/internal/ReadProvider.ts"
import { TikTok } from "../../src/Provider/TikTok.ts"
import { Video } from "../../src/Provider/Video.ts"
import { factsOf } from "./Facts.ts"
import { answered, failureOf, providerOf, redirectOf } from "./Read.ts"

const options = Object.freeze({ clientId: "client", clientSecret: "secret" })
const withIssuer = { ...options, issuer: "https://i.example/realms/r" }
const addresses = { authUrl: "https://www.video.example", apiUrl: "https://open.video.example" }
const tokens: TokenSet = { access_token: "access", token_type: "bearer" }

const contextOf = (provider: RedirectProvider, fetch: typeof globalThis.fetch) =>
  withPresetTools(provider.id, { tokens, fetch }, { tokens, provider: provider.source, fetch })

/** The user of a profile, as a sign-in reads it. */
const userOf = (provider: RedirectProvider, profile: Profile, fetch?: typeof globalThis.fetch) =>
  answered(mapProfile(provider, profile, tokens, fetch && contextOf(provider, fetch)))

/** Every preset bare: also a proof by the compiler that they may stand so in a configuration. */
const bare: ReadonlyArray<ProviderInput> = [
  GitHub,
  Google,
  MicrosoftEntraId,
  Apple,
  Discord,
  Keycloak,
  Auth0,
  Credentials,
  TikTok,
  Video
]

describe("presets", () => {
  it("may be given bare, as a call without options, and side by side", () => {
    const ids = [
      "github",
      "google",
      "microsoft-entra-id",
      "apple",
      "discord",
      "keycloak",
      "auth0",
      "credentials",
      "tiktok",
      "video"
    ]
    assert.deepStrictEqual(
      Registry.make(bare).identities.map(({ id }) => id),
      ids
    )
    const called = [
      GitHub(),
      Google(),
      MicrosoftEntraId(),
      Apple(),
      Discord(),
      Keycloak(),
      Auth0(),
      Credentials(),
      TikTok(),
      Video()
    ]
    assert.deepStrictEqual(
      Registry.make(called).identities.map(({ id }) => id),
      ids
    )
  })

  // The requests equal those of the factory of that name in Auth.js.
  const pairs: ReadonlyArray<readonly [ProviderInput, ProviderInput]> = [
    [GitHub(options), PeerGitHub(options)],
    [
      GitHub({ ...options, enterprise: { baseUrl: "https://ghe.example" } }),
      PeerGitHub({ ...options, enterprise: { baseUrl: "https://ghe.example" } })
    ],
    [Google(options), PeerGoogle(options)],
    [MicrosoftEntraId(options), PeerEntra({ ...options })],
    [Apple(options), PeerApple(options)],
    [Discord(options), PeerDiscord(options)],
    [Keycloak(withIssuer), PeerKeycloak(withIssuer)],
    [Auth0(withIssuer), PeerAuth0(withIssuer)],
    [TikTok(options), PeerTikTok(options)]
  ]
  for (const [ours, theirs] of pairs) {
    const their = factsOf(redirectOf(theirs))
    it(`${their.id} speaks to the platform as the Auth.js provider does`, () =>
      assert.deepStrictEqual(factsOf(redirectOf(ours)), their))
  }

  const profiles: ReadonlyArray<readonly [ProviderInput, ProviderInput, ReadonlyArray<Record<string, unknown>>]> = [
    [
      GitHub(options),
      PeerGitHub(options),
      [
        { id: 1, login: "l", name: "N", email: "e@x.com", avatar_url: "https://a" },
        { id: 1, login: "l", name: null, email: null, avatar_url: "https://a" }
      ]
    ],
    [
      Google(options),
      PeerGoogle(options),
      [{ sub: "1", name: "N", email: "e@x.com", picture: "https://p" }, { sub: "1" }]
    ],
    [
      Apple(options),
      PeerApple(options),
      [
        { sub: "1", email: "e@x.com" },
        { sub: "1", email: "e@x.com", user: { name: { firstName: "A", lastName: "B" }, email: "e@x.com" } }
      ]
    ],
    [
      Discord(options),
      PeerDiscord(options),
      [
        {
          id: "80351110224678912",
          username: "u",
          discriminator: "1337",
          global_name: null,
          avatar: null,
          email: "e@x.com"
        },
        { id: "80351110224678912", username: "u", discriminator: "0", global_name: "G", avatar: null, email: null },
        {
          id: "80351110224678912",
          username: "u",
          discriminator: "0",
          global_name: "G",
          avatar: "a_33ecab",
          email: null
        },
        { id: "80351110224678912", username: "u", discriminator: "0", global_name: "G", avatar: "33ecab", email: null }
      ]
    ],
    [Keycloak(withIssuer), PeerKeycloak(withIssuer), [{ sub: "1", preferred_username: "p", email: "e@x.com" }]],
    [
      TikTok(options),
      PeerTikTok(options),
      [
        {
          data: { user: { open_id: "o", display_name: "D", avatar_url: "https://a" } },
          error: { code: "ok", message: "", log_id: "l" }
        }
      ]
    ]
  ]
  const defined = (user: object) => Object.fromEntries(Object.entries(user).filter(([, value]) => value !== undefined))
  for (const [ours, theirs, list] of profiles) {
    it.gen(`${redirectOf(ours).id} makes the user that the Auth.js provider makes`, function* () {
      for (const profile of list) {
        const our = yield* userOf(redirectOf(ours), profile)
        const their = yield* answered(redirectOf(theirs).profile(profile, tokens))
        assert.deepStrictEqual(defined(our), defined(their))
      }
    })
  }

  const hostile: ReadonlyArray<unknown> = [
    {},
    { sub: 1 },
    { sub: "" },
    { id: {} },
    { id: "../x", username: "u" },
    null,
    [],
    "profile"
  ]
  for (const provider of [
    GitHub(options),
    Google(options),
    MicrosoftEntraId(options),
    Apple(options),
    Discord(options),
    Keycloak(withIssuer),
    Auth0(withIssuer),
    TikTok(options),
    Video({ ...options, ...addresses })
  ]) {
    it.gen(`P086 ${provider.id} refuses profiles that are none`, function* () {
      for (const profile of hostile) {
        const failure = yield* Effect.flip(userOf(redirectOf(provider), profile as Record<string, unknown>))
        assert(failure instanceof Error && "_tag" in failure)
        assert.strictEqual(failure._tag, "OAuthProfileParseError")
        assert.strictEqual("provider" in failure ? failure.provider : undefined, redirectOf(provider).id)
        assert.notInclude(failure.message, "../x")
      }
    })
  }
})

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } })

/** Answers by address, and keeps what was asked. */
const network = (answers: Readonly<Record<string, () => Response>>) => {
  const asked: Array<readonly [string, string | null]> = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init)
    asked.push([request.url, request.headers.get("authorization")])
    const answer = answers[request.url]
    return answer === undefined ? Promise.reject(new TypeError("no route")) : Promise.resolve(answer())
  }
  return { asked, fetch }
}

describe("Discord", () => {
  const profile = { id: "80351110224678912", username: "ada", discriminator: "1337", avatar: "a_33ec", flags: 64 }
  const picture = "https://cdn.discordapp.com/avatars/80351110224678912/a_33ec.gif"
  for (const [name, answer, expected] of [
    ["with the address of the picture", profile, { ...profile, image_url: picture }],
    ["as it is, when it is none of a person", { message: "none" }, { message: "none" }]
  ] as const) {
    it.gen(`the profile reaches the callbacks ${name}`, function* () {
      const provider = redirectOf(Discord(options))
      const { request, url } = provider.userinfo
      assert(request !== undefined && url !== undefined)
      const { asked, fetch } = network({ [url]: () => json(answer) })
      assert.deepStrictEqual(yield* answered(request(contextOf(provider, fetch))), expected)
      assert.deepStrictEqual(asked, [[url, "Bearer access"]])
    })
  }
})

describe("GitHub", () => {
  const userinfo = (fetch: typeof globalThis.fetch, provider = redirectOf(GitHub(options))) => {
    const { request } = provider.userinfo
    assert(request !== undefined)
    return answered(request(contextOf(provider, fetch)))
  }
  const user = "https://api.github.com/user"
  const emails = "https://api.github.com/user/emails"
  const entry = (email: string, primary: boolean, verified: boolean) => ({ email, primary, verified, visibility: null })

  const person = { id: 1, login: "l", email: "p@x.com", plan: "free" }
  const shown: ReadonlyArray<readonly [name: string, answer: () => Response, expected: boolean | null]> = [
    ["verified, in another spelling", () => json([entry("P@x.com", false, true), entry("b@x.com", true, true)]), true],
    ["not verified", () => json([entry("p@x.com", false, false), entry("b@x.com", true, true)]), false],
    ["not in the list", () => json([entry("b@x.com", true, true)]), null],
    ["not told by the scope", () => json({ message: "Not Found" }, 404), null]
  ]
  for (const [name, answer, verified] of shown) {
    it.gen(`a public email address is as the list of addresses says: ${name}`, function* () {
      const { asked, fetch } = network({ [user]: () => json({ ...person, email_verified: true }), [emails]: answer })
      assert.deepStrictEqual(yield* userinfo(fetch), { ...person, email_verified: verified })
      assert.deepStrictEqual(asked, [
        [user, "Bearer access"],
        [emails, "Bearer access"]
      ])
    })
  }
  const lists: ReadonlyArray<readonly [name: string, answer: () => Response, expected: string | null]> = [
    ["the primary verified one", () => json([entry("a@x.com", false, true), entry("b@x.com", true, true)]), "b@x.com"],
    [
      "not the primary one that is not verified",
      () => json([entry("a@x.com", false, true), entry("b@x.com", true, false)]),
      null
    ],
    ["none of an empty list", () => json([]), null],
    ["none when the scope does not allow it", () => json({ message: "Not Found" }, 404), null],
    ["none of an answer of another form", () => json([{ email: ["a@x.com"], primary: true, verified: true }]), null],
    ["none of an answer that is no JSON", () => new Response("<p>"), null]
  ]
  for (const [name, answer, expected] of lists) {
    it.gen(`without a public address: ${name}`, function* () {
      const { asked, fetch } = network({ [user]: () => json({ id: 1, login: "l", email: null }), [emails]: answer })
      assert.deepStrictEqual(yield* userinfo(fetch), {
        id: 1,
        login: "l",
        email: expected,
        ...(expected === null ? {} : { email_verified: true })
      })
      assert.deepStrictEqual(asked, [
        [user, "Bearer access"],
        [emails, "Bearer access"]
      ])
    })
  }
  for (const [name, answer] of [
    ["a refusal", () => json({ id: 1, login: "l", message: "Bad credentials" }, 401)],
    ["a server error", () => json({}, 502)],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "https://evil.example" } })],
    ["no JSON", () => new Response("<p>")],
    ["a list", () => json([])],
    ["null", () => json(null)]
  ] as const) {
    it.gen(`H135 H136 ${name} in place of the user fails the sign-in`, function* () {
      assert.isTrue(Result.isFailure(yield* Effect.result(userinfo(network({ [user]: answer }).fetch))))
    })
  }
  it.gen("an enterprise server is asked at its own address", function* () {
    const api = "https://ghe.example/api/v3"
    const { asked, fetch } = network({
      [`${api}/user`]: () => json({ id: 1, login: "l" }),
      [`${api}/user/emails`]: () => json([])
    })
    yield* userinfo(fetch, redirectOf(GitHub({ ...options, enterprise: { baseUrl: "https://ghe.example/" } })))
    assert.deepStrictEqual(
      asked.map(([url]) => url),
      [`${api}/user`, `${api}/user/emails`]
    )
  })
})

describe("Microsoft Entra ID", () => {
  const claims = { sub: "s", name: "N", email: "e@x.com", tid: "t" }
  const photo = "https://graph.microsoft.com/v1.0/me/photos/48x48/$value"
  const user = (fetch: typeof globalThis.fetch | undefined, input = MicrosoftEntraId(options)) =>
    userOf(redirectOf(input), claims, fetch)
  const bytes =
    (body: BodyInit, type = "image/png") =>
    () =>
      new Response(body, { headers: { "content-type": type } })

  it.gen("the picture becomes a data URL", function* () {
    const { asked, fetch } = network({ [photo]: bytes("abc") })
    assert.deepStrictEqual(yield* user(fetch), {
      id: "s",
      name: "N",
      email: "e@x.com",
      image: "data:image/png;base64,YWJj"
    })
    assert.deepStrictEqual(asked, [[photo, "Bearer access"]])
  })
  for (const [name, answer] of [
    ["none", () => new Response("{}", { status: 404 })],
    ["an empty one", bytes("")],
    ["one that is too large", bytes(new Uint8Array(65_537))],
    [
      "a network that fails",
      () => {
        throw new TypeError("no network")
      }
    ]
  ] as const) {
    it.gen(`a sign-in goes on without a picture: ${name}`, function* () {
      assert.strictEqual((yield* user(network({ [photo]: answer }).fetch)).image, null)
    })
  }
  it.gen("a sign-in goes on when the picture does not come in three seconds", function* () {
    const fiber = yield* Effect.forkChild(user(() => new Promise(() => {})))
    yield* TestClock.adjust("3 seconds")
    assert.strictEqual((yield* Fiber.join(fiber)).image, null)
  })
  it.gen("a type that is no image's is not believed", function* () {
    const image = (yield* user(network({ [photo]: bytes("abc", "text/html,<script>") }).fetch)).image
    assert.strictEqual(image, "data:image/jpeg;base64,YWJj")
  })
  it.gen("no picture is asked for when it is switched off, or no address can be asked", function* () {
    const { asked, fetch } = network({})
    assert.strictEqual((yield* user(fetch, MicrosoftEntraId({ ...options, profilePhotoSize: false }))).image, null)
    assert.strictEqual((yield* user(undefined)).image, null)
    assert.deepStrictEqual(asked, [])
  })
})

describe("Video", () => {
  const video = redirectOf(Video({ ...options, ...addresses }))
  const answer = (user: object, error?: object) =>
    userOf(video, { data: { user }, ...(error === undefined ? {} : { error }) })

  it("has the endpoints of the platform", () => {
    assert.deepStrictEqual(
      [video.id, video.type, video.clientAuthentication, video.authorization.url, video.token.url, video.userinfo.url],
      [
        "video",
        "oauth",
        "client_secret_post",
        "https://www.video.example/v2/auth/authorize?client_key=client&scope=user.info.profile",
        "https://open.video.example/v2/oauth/token/",
        "https://open.video.example/v2/user/info/?fields=open_id,avatar_url,display_name,username"
      ]
    )
  })
  it("scopes and fields can be extended", () => {
    const more = redirectOf(
      Video({
        ...options,
        ...addresses,
        authorization: { params: { scope: "user.info.profile,user.info.stats" } },
        userinfo: { params: { fields: "open_id,likes_count" } }
      })
    )
    assert.deepStrictEqual(Object.fromEntries(more.authorizationParameters), {
      client_key: "client",
      scope: "user.info.profile,user.info.stats"
    })
    assert.strictEqual(new URL(more.userinfo.url ?? "").searchParams.get("fields"), "open_id,likes_count")
    assert.strictEqual(new URL(more.userinfo.url ?? "").pathname, "/v2/user/info/")
  })
  it("without addresses it cannot work", () => {
    assert.strictEqual(failureOf(Video(options))?.[0], "InvalidEndpoints")
  })
  it.gen("the user: email address, else user name, else none", function* () {
    const person = { open_id: "o", display_name: "D", avatar_url: "https://a", username: "u" }
    const expected = { id: "o", name: "D", image: "https://a" }
    assert.deepStrictEqual(yield* answer({ ...person, email: "e@x.com" }, { code: "ok", log_id: "l", message: "" }), {
      ...expected,
      email: "e@x.com"
    })
    assert.deepStrictEqual(yield* answer(person, { code: "", log_id: "l", message: "" }), { ...expected, email: "u" })
    assert.deepStrictEqual(yield* answer({ ...person, username: undefined }), { ...expected, email: null })
    assert.deepStrictEqual(yield* answer({ ...person, username: "ada@example.com" }), { ...expected, email: null })
  })
  for (const [code, log_id, shown] of [
    ["access_token_invalid", "2026ABC", ["access_token_invalid", "2026ABC"]],
    ["<script>alert(1)</script>", undefined, ["unknown", "unknown"]]
  ] as const) {
    it.gen(`an error of the platform is a failure with code and log id: ${code}`, function* () {
      for (const data of [{}, { user: { open_id: "o" } }]) {
        const profile = { data, error: { code, log_id, message: "text of the platform" } }
        const failure = yield* Effect.flip(userOf(video, profile))
        assert(failure instanceof Error && "_tag" in failure && "code" in failure && "logId" in failure)
        assert.strictEqual(failure._tag, "VideoPlatformError")
        assert.deepStrictEqual<ReadonlyArray<unknown>>([failure.code, failure.logId], shown)
        assert.notInclude(failure.message, "text of the platform")
      }
    })
  }
  it.gen("token requests carry client_key as a form", function* () {
    assert(video.adaptFetch !== undefined && video.token.url !== undefined)
    const sent: Array<string> = []
    const adapted = video.adaptFetch(async (input, init) => {
      const request = new Request(input, init)
      sent.push(`${request.method} ${request.headers.get("content-type")} ${await request.text()}`)
      return json({})
    })
    const { url } = video.token
    yield* Effect.promise(() =>
      adapted(url, { method: "POST", body: "grant_type=authorization_code&client_id=client" })
    )
    assert.deepStrictEqual(sent, [
      "POST application/x-www-form-urlencoded grant_type=authorization_code&client_id=client&client_key=client"
    ])
  })
})

describe("Credentials", () => {
  const form = (credentials: Record<string, object>) => {
    const provider = providerOf(Credentials({ credentials, authorize: () => null }))
    assert(provider._tag === "Credentials")
    return provider
  }
  const login = form({ username: { label: "User" }, password: { type: "password" } })
  const read = (body: unknown, provider = login) => {
    const result = readSubmission(provider, body as Record<string, unknown>)
    return Result.isSuccess(result) ? result.success : result.failure._tag
  }

  it("without authorize it cannot work", () => {
    assert.strictEqual(failureOf(Credentials({ credentials: {} }))?.[0], "MissingAuthorize")
  })
  for (const value of [{ $ne: null }, ["a"], 1, true, null]) {
    it(`H177 a credential that is no text is refused: ${JSON.stringify(value)}`, () => {
      assert.strictEqual(read({ username: "u", password: value }), "MalformedRequest")
    })
  }
  it("H178 only declared fields reach authorize", () => {
    assert.deepStrictEqual(read({ username: "u", password: "p", role: "admin", csrfToken: "c", callbackUrl: "/" }), {
      username: "u",
      password: "p"
    })
  })
  it("a field that is not declared can be read by its name and is not copied with the rest", () => {
    const credentials = read({ username: "u", password: "p", otp: "123456", remember: true, csrfToken: "c" })
    assert.strictEqual(Reflect.get(Object(credentials), "otp"), "123456")
    assert.deepStrictEqual({ ...Object(credentials) }, { username: "u", password: "p" })
    assert.isUndefined(Reflect.get(Object(credentials), "remember"))
    assert.isUndefined(Reflect.get(Object(credentials), "csrfToken"))
  })
  it("H178 a form of the application's own gets every text but those of the protocol", () => {
    assert.deepStrictEqual(read({ code: "1", csrfToken: "c", callbackUrl: "/" }, form({})), { code: "1" })
  })
  it("H179 members named like those of every object do not arrive", () => {
    const body: unknown = JSON.parse('{"__proto__":"x","constructor":"y","toString":"z","a":"b"}')
    const credentials = read(body, form({}))
    assert.deepStrictEqual(Object.entries(credentials), [["a", "b"]])
    assert.deepStrictEqual(
      form(JSON.parse('{"__proto__":{"label":"x"},"constructor":{},"a":{}}')).fields.map(({ name }) => name),
      ["a"]
    )
  })
  it("H179 a declared field that is absent stays absent", () => {
    assert.deepStrictEqual(read({ username: "u" }), { username: "u" })
    assert.deepStrictEqual(read({}, form({ valueOf: {} })), {})
  })
  for (const password of ["", "\0", "x".repeat(60_000), "\u212b\u00c5 e\u0301", " p ", "p".repeat(80)]) {
    it(`H190 a password arrives unchanged: ${JSON.stringify(password.slice(0, 8))} of ${password.length}`, () => {
      assert.deepStrictEqual(read({ username: "u", password }), { username: "u", password })
    })
  }
  it("H213 attributes that run code or send the form elsewhere do not reach the page", () => {
    const [field] = form({
      user: {
        label: "<b>",
        placeholder: '"><',
        onclick: "alert(1)",
        onFocus: "x",
        style: "x",
        formaction: "https://e",
        form: "f",
        name: "n",
        id: "i",
        "a b": "c",
        'x"': "d",
        autoComplete: "username",
        required: true,
        maxLength: 5,
        disabled: false,
        ref: () => {},
        nested: {}
      }
    }).fields
    assert.deepStrictEqual(field, {
      name: "user",
      label: "<b>",
      placeholder: '"><',
      type: undefined,
      value: undefined,
      attributes: { autoComplete: "username", required: true, maxLength: "5", disabled: false }
    })
  })
})
