import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { describe } from "vitest"
import type { User } from "../../src/Models.ts"
import { Box } from "../../src/Provider/Box.ts"
import { GitLab } from "../../src/Provider/GitLab.ts"
import { HubSpot } from "../../src/Provider/HubSpot.ts"
import { Logto } from "../../src/Provider/Logto.ts"
import { TikTok } from "../../src/Provider/TikTok.ts"
import { Twitter } from "../../src/Provider/Twitter.ts"
import { Video } from "../../src/Provider/Video.ts"
import { WordPress } from "../../src/Provider/WordPress.ts"
import { defaultProfile } from "../../src/Provider/internal/ProfileMapping.ts"
import type { UserFields } from "../../src/Provider/internal/ProviderOptions.ts"
import type { OAuthProvider } from "../../src/Provider/internal/Provider.ts"
import {
  against,
  answer,
  issuing,
  json,
  oauth,
  oauthFlow,
  oidc,
  refusal,
  scripted,
  signIn,
  tokenResponse
} from "./ScriptedProvider.ts"

const given = answer(undefined, oauthFlow)
const saying = (profile: unknown) =>
  scripted({ "/token": () => json(tokenResponse(undefined)), "/userinfo": () => json(profile) })
const mapping = (profile: OAuthProvider["profile"]) => oauth({ profile })
/** How many mappings read an id: as it is, as text, by a method that every value has. */
const mappings: ReadonlyArray<readonly [name: string, profile: OAuthProvider["profile"]]> = [
  ["as it is", (profile) => ({ id: profile.id as string })],
  ["String()", (profile) => ({ id: String(profile.id) })],
  ["toString()", (profile) => ({ id: (profile.id as string).toString() })],
  ["a template", (profile) => ({ id: `${profile.id}` })]
]

describe("Ids", () => {
  const badIds = [
    undefined,
    null,
    "",
    " ",
    [],
    ["person-1"],
    [["person-1"]],
    {},
    { id: "person-1" },
    true,
    0,
    1.5,
    1e300,
    2 ** 53,
    "x".repeat(1025),
    "a\u0000b",
    "a\ud800",
    "\udc00a"
  ]
  for (const id of badIds) {
    for (const [name, profile] of mappings) {
      it.gen(`H136, H137 ${JSON.stringify(id)?.slice(0, 30) ?? "no id"} (${name}) names no user`, function* () {
        const failure = yield* against(saying({ id, name: "Ada" }), refusal(mapping(profile), given))
        assert.strictEqual(failure._tag, "OAuthProfileParseError")
        assert.strictEqual(failure.code, "profile_invalid")
        assert.strictEqual(failure.provider, "idp")
      })
    }
  }

  for (const [id, kept] of [
    ["person-1", "person-1"],
    [42, "42"],
    [-7, "-7"],
    ["0", "0"],
    ["001", "001"],
    ["\u{1f469}\u200d\u{1f4bb}", "\u{1f469}\u200d\u{1f4bb}"]
  ] as const) {
    for (const [name, profile] of mappings) {
      it.gen(`H137 ${JSON.stringify(id)} (${name}) is the id ${kept}`, function* () {
        const { account, user } = yield* against(saying({ id }), signIn(mapping(profile), given))
        assert.strictEqual(user.id, kept)
        assert.strictEqual(account.providerAccountId, kept)
      })
    }
  }
})

describe("A function of the application that calls that of a preset", () => {
  const wrapped =
    (preset: { readonly profile?: unknown }): OAuthProvider["profile"] =>
    (profile, tokens, context) =>
      typeof preset.profile === "function" ? preset.profile(profile, tokens, context) : {}
  for (const [name, preset, profile] of [
    ["Twitter", Twitter({}), { data: { id: 2 ** 53 + 2, name: "Ada", username: "ada" } }],
    ["HubSpot", HubSpot({}), { user_id: ["5"], user: "ada@example.com" }],
    ["WordPress", WordPress({}), { ID: 1.5 }],
    ["TikTok", TikTok({}), { data: { user: { open_id: {} } } }],
    ["Logto", Logto({}), { sub: 1e300 }]
  ] as const) {
    it.gen(`H137 signs in no user without the id of ${name}`, function* () {
      const failure = yield* against(saying(profile), refusal(mapping(wrapped(preset)), given))
      assert.strictEqual(failure._tag, "OAuthProfileParseError")
      assert.strictEqual(failure.code, "profile_invalid")
    })
  }
  for (const preset of [Video({}), TikTok({})]) {
    it.gen(`H137 signs in no user whom ${preset.id} refused`, function* () {
      const refused = {
        data: { user: { open_id: "person-1" } },
        error: { code: "access_token_invalid", log_id: "log-1" }
      }
      const failure = yield* against(saying(refused), refusal(mapping(wrapped(preset)), given))
      assert.strictEqual(failure._tag, "OAuthProfileParseError")
    })
  }
})

describe("A mapping that says nothing of ids", () => {
  const role: OAuthProvider["profile"] = ({ name }) => ({ name: String(name), role: "member" }) as UserFields
  for (const [raw, kept] of [
    [{ sub: "person-1", id: "row-1" }, "person-1"],
    [{ id: 42 }, "42"]
  ] as const) {
    it.gen(`keeps the id of the provider: ${JSON.stringify(raw)}`, function* () {
      const { account, user } = yield* against(saying({ ...raw, name: "Ada" }), signIn(mapping(role), given))
      assert.strictEqual(account.providerAccountId, kept)
      assert.strictEqual(user.id, kept)
    })
  }
  for (const profile of [{}, { sub: null, id: null }]) {
    it.gen(`H136 names no user by default for ${JSON.stringify(profile)}`, function* () {
      const failure = yield* against(saying(profile), refusal(mapping(defaultProfile()), given))
      assert.strictEqual(failure.code, "profile_invalid")
    })
  }
  it.gen("H136 names no user where the provider names none", function* () {
    const failure = yield* against(saying({ name: "Ada", id: [1] }), refusal(mapping(role), given))
    assert.strictEqual(failure.code, "profile_invalid")
  })
})

describe("Mapping", () => {
  const broken: ReadonlyArray<readonly [title: string, profile: () => unknown]> = [
    ["throws", () => assert.fail("of the application")],
    ["rejects", () => Promise.reject(new Error("of the application"))],
    ["fails", () => Effect.fail("of the application")],
    ["gives null", () => null],
    ["gives nothing", () => undefined],
    ["gives a text", () => "person-1"],
    ["gives a list", () => [{ id: "person-1" }]],
    ["gives a Promise of nothing", () => Promise.resolve(undefined)]
  ]
  for (const [title, profile] of broken) {
    it.gen(`H143 a profile function that ${title} is a typed error`, function* () {
      const failure = yield* against(saying({ id: "person-1" }), refusal(mapping(profile as () => User), given))
      assert.strictEqual(failure._tag, "OAuthProfileParseError")
      assert.notInclude(failure.message, "code-1")
    })
  }

  for (const make of [
    (user: UserFields) => user,
    (user: UserFields) => Promise.resolve(user),
    (user: UserFields) => Effect.succeed(user)
  ]) {
    it.gen(`H143 a profile function may answer in every form (${make.toString().slice(9, 40)})`, function* () {
      const { user } = yield* against(
        saying({}),
        signIn(
          mapping(() => make({ id: "person-1", role: "admin" })),
          given
        )
      )
      assert.deepStrictEqual<unknown>(user, { id: "person-1", role: "admin" })
    })
  }

  for (const member of ["name", "email", "image"]) {
    for (const value of [["a"], { a: 1 }, 1, true]) {
      it.gen(`P086 ${member} ${JSON.stringify(value)} is a typed error that names provider and field`, function* () {
        const failure = yield* against(
          saying({ id: "person-1", [member]: value }),
          refusal(
            mapping((profile) => ({ id: "person-1", [member]: profile[member] })),
            given
          )
        )
        assert.strictEqual(failure._tag, "OAuthProfileParseError")
        assert.include(failure.detail, member)
        assert.include(failure.detail, "idp")
      })
    }
  }

  const images: ReadonlyArray<readonly [image: string, kept: boolean]> = [
    ["https://idp.example/ada.png", true],
    ["http://idp.example/ada.png", true],
    ["//idp.example/ada.png", true],
    ["/ada.png", true],
    ["data:image/png;base64,iVBORw0KGgo=", true],
    ["data:image/svg+xml;base64,PHN2Zz4=", true],
    [`https://idp.example/${"x".repeat(5000)}`, true],
    ["data:text/html,<script>", false],
    ["javascript:alert(1)", false],
    ["JaVaScRiPt:alert(1)", false],
    [" javascript:alert(1)", false],
    ["java\nscript:alert(1)", false],
    ["vbscript:x", false],
    ["blob:https://idp.example/1", false],
    ["file:///etc/passwd", false],
    ["https://idp.example/\u0000", false]
  ]
  for (const [image, kept] of images) {
    it.effect(
      `P087 the picture ${JSON.stringify(image.slice(0, 40))} of a preset is ${kept ? "kept" : "left out, with a warning"}`,
      () => {
        const warnings: Array<unknown> = []
        const logger = Logger.make(({ logLevel, message }) => void (logLevel === "Warn" && warnings.push(message)))
        return Effect.gen(function* () {
          const { user } = yield* against(
            saying({}),
            signIn(
              mapping(() => ({ id: "person-1", image })),
              given
            )
          )
          assert.strictEqual(user.image, kept ? image : undefined)
          assert.strictEqual(warnings.length, kept ? 0 : 1)
          if (!kept) assert.match(String(warnings[0]), /^The picture in the profile from idp is left out: /)
        }).pipe(Effect.provide(Logger.layer([logger])))
      }
    )

    it.gen(`P087 the picture ${JSON.stringify(image.slice(0, 40))} of an own profile() is kept`, function* () {
      const provider = { ...mapping(() => ({ id: "person-1", image })), hasOwnProfile: true }
      assert.strictEqual((yield* against(saying({}), signIn(provider, given))).user.image, image)
    })
  }

  it.gen("P088 texts lose control characters and what is beyond 4 kB", function* () {
    const profile = {
      id: "person-1",
      name: "A\u0000da\u001b[31m",
      locale: "d\u0007e",
      zoneinfo: "x".repeat(5000),
      bio: "one\ntwo\u0000"
    }
    const { profile: kept, user } = yield* against(
      saying(profile),
      signIn(
        mapping((claims) => ({ id: "person-1", name: claims.name, bio: claims["bio"], long: "y".repeat(5000) })),
        given
      )
    )
    assert.deepStrictEqual<unknown>(user, { id: "person-1", name: "Ada[31m", bio: "one two", long: "y".repeat(4096) })
    assert.strictEqual(kept.locale, "de")
    assert.strictEqual(kept.zoneinfo, "x".repeat(4096))
  })

  for (const [email, kept] of [
    ["\u212Aate@example.com", undefined],
    ["Ann\u0130@Example.com", undefined],
    ["ada", undefined],
    ["ada@example.com, eve@example.com", undefined],
    ['"ada <eve@example.com>"@example.com', undefined],
    ["-oQ/tmp@example.com", undefined],
    ["ada\ud800@example.com", undefined],
    ["J\u00f6rg@B\u00fccher.example", "j\u00f6rg@xn--bcher-kva.example"],
    ["Ada@mailhost", "ada@mailhost"],
    ["ada+news@example.com", "ada+news@example.com"],
    ["  Ada@Example.COM ", "ada@example.com"],
    ["ada@example.com\r\nBcc: eve@example.com", undefined],
    [`${"x".repeat(400)}@example.com`, undefined],
    ["", undefined],
    [null, null]
  ] as const) {
    it.gen(`P088 the address ${JSON.stringify(email)?.slice(0, 40)} is kept as ${JSON.stringify(kept)}`, function* () {
      const { user } = yield* against(
        saying({}),
        signIn(
          mapping(() => ({ id: "person-1", email })),
          given
        )
      )
      assert.strictEqual(user.email, kept)
    })
  }

  it.gen("H110 a member named like the prototype changes nothing", function* () {
    const idp = scripted({
      "/token": () => json(tokenResponse(undefined)),
      "/userinfo": () => json(`{"id":"person-1","__proto__":{"admin":true}}`)
    })
    const { profile, user } = yield* against(
      idp,
      signIn(
        mapping((claims) => ({ ...claims, id: "person-1" })),
        given
      )
    )
    assert.notProperty(profile, "admin")
    assert.isFalse(Object.hasOwn(profile, "__proto__"))
    assert.notProperty(user, "admin")
  })

  it.gen("H146 the account is named by provider and id", function* () {
    const first = yield* against(scripted(), signIn())
    const second = yield* against(
      scripted(),
      signIn(oidc({ id: "other" }), { ...answer(), flow: { ...answer().flow, provider: "other" } })
    )
    assert.strictEqual(first.account.providerAccountId, second.account.providerAccountId)
    assert.notStrictEqual(first.account.provider, second.account.provider)
  })
})

describe("Verified addresses", () => {
  for (const [email_verified, expected] of [
    [true, true],
    [false, false],
    ["true", false],
    ["false", false],
    ["no", false],
    ["0", false],
    [1, false],
    [0, false],
    [null, false],
    [{}, false],
    [[], false],
    [undefined, false]
  ] as const) {
    it.effect(
      `P080, H139 email_verified ${JSON.stringify(email_verified)} means ${expected ? "verified" : "not verified"}`,
      () =>
        Effect.gen(function* () {
          const signedIn = yield* against(scripted(issuing({ email_verified })), signIn())
          assert.strictEqual(signedIn.emailVerified, expected)
        })
    )
  }

  it.gen("P079 an address that the mapping took from elsewhere is not verified", function* () {
    const provider = oidc({ profile: (profile) => ({ id: profile.sub ?? "", email: "eve@example.com" }) })
    assert.isFalse((yield* against(scripted(), signIn(provider))).emailVerified)
    const none = oidc({ profile: (profile) => ({ id: profile.sub ?? "" }) })
    assert.isFalse((yield* against(scripted(), signIn(none))).emailVerified)
  })

  const preset = (profile: unknown): OAuthProvider["profile"] => profile as OAuthProvider["profile"]
  for (const email_verified of [false, "false"]) {
    it.effect(
      `H139 email_verified ${JSON.stringify(email_verified)} is believed of a platform that documents no such member`,
      () =>
        Effect.gen(function* () {
          for (const [platform, claims] of [
            [Box(), { id: "1", login: "ada@example.com" }],
            [GitLab(), { id: 1, email: "ada@example.com" }]
          ] as const) {
            const provider = mapping(preset(platform.profile))
            const unstated = yield* against(saying(claims), signIn(provider, given))
            assert.deepStrictEqual([unstated.emailVerified, unstated.emailDenied], [false, false])
            const denied = yield* against(saying({ ...claims, email_verified }), signIn(provider, given))
            assert.deepStrictEqual([denied.emailVerified, denied.emailDenied], [false, true])
            const claimed = yield* against(saying({ ...claims, email_verified: true }), signIn(provider, given))
            assert.deepStrictEqual([claimed.emailVerified, claimed.emailDenied], [false, false])
          }
        })
    )
  }
})
