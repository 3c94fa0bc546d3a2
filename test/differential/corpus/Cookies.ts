/** Every state of the browser's cookies, at every action that reads them. */
import type { CookieState } from "../GivenCookies.ts"
import type { Config } from "../Implementation.ts"
import { type Kit, otherSecret, type Scenario, secret } from "../Scenario.ts"
import { bare, get, oauth, password, post, scenario, watched } from "./Table.ts"

const sessions: ReadonlyArray<CookieState> = [
  "session",
  "session-minimal",
  "session-rich",
  "session-tampered",
  "session-expired",
  "session-just-expired",
  "session-not-yet",
  "session-without-exp",
  "session-foreign-secret",
  "session-foreign-salt",
  "session-garbage",
  "session-empty",
  "session-chunked",
  "session-chunk-gap",
  "session-chunks-and-plain",
  "session-similar-name",
  "session-a256gcm",
  "session-without-kid",
  "foreign-names"
]

const csrfs: ReadonlyArray<CookieState> = [
  "csrf",
  "csrf-tampered",
  "csrf-garbage",
  "csrf-foreign-secret",
  "csrf-no-hash"
]

const callbackUrls: ReadonlyArray<CookieState> = [
  "callback-url",
  "callback-url-relative",
  "callback-url-foreign",
  "callback-url-javascript",
  "callback-url-garbage"
]

const rotated = (kit: Kit): Config => watched(kit, { secret: [otherSecret, secret] })

/** The scenarios of this file. */
export const cookies: ReadonlyArray<Scenario> = [
  ...sessions.flatMap((state) => [
    scenario("session-cookie", `GET session with ${state}`, [get("/auth/session")], {
      given: [state],
      config: watched
    }),
    scenario("session-cookie", `POST session with ${state}`, [post("/auth/session", { x: "1" })], {
      given: [state, "csrf"],
      config: watched
    }),
    scenario("session-cookie", `POST signout with ${state}`, [post("/auth/signout")], {
      given: [state, "csrf"],
      config: watched
    })
  ]),
  ...["session", "session-chunked", "session-tampered"].map((state) =>
    scenario(
      "session-cookie",
      `sign-in over ${state}`,
      [post("/auth/callback/password", { username: "ada", password: "secret" })],
      { given: [state as CookieState, "csrf"], config: watched }
    )
  ),
  ...["session", "session-tampered"].map((state) =>
    scenario("session-cookie", `https GET session with ${state}`, [get("/auth/session"), post("/auth/signout")], {
      given: [state as CookieState, "csrf"],
      origin: "https://app.example"
    })
  ),
  ...csrfs.flatMap((state) => [
    scenario("csrf-cookie", `GET csrf with ${state}`, [get("/auth/csrf")], { given: [state] }),
    scenario("csrf-cookie", `GET session with ${state}`, [get("/auth/session")], { given: [state] }),
    scenario("csrf-cookie", `GET signin with ${state}`, [get("/auth/signin")], { given: [state] }),
    scenario("csrf-cookie", `POST signout with ${state}`, [post("/auth/signout")], { given: [state, "session"] }),
    scenario("csrf-cookie", `POST signin with ${state}`, [post("/auth/signin/acme")], { given: [state] }),
    scenario(
      "csrf-cookie",
      `POST callback with ${state}`,
      [post("/auth/callback/password", { username: "ada", password: "secret" })],
      { given: [state] }
    )
  ]),
  ...["/auth/session", "/auth/signout", "/auth/signin", "/auth/signin/acme", "/auth/callback/password"].flatMap(
    (path) => [
      scenario("csrf", `POST ${path} without token`, [bare(path, { form: {} })], { given: ["csrf", "session"] }),
      scenario("csrf", `POST ${path} with a wrong token`, [bare(path, { form: {}, csrf: "wrong" })], {
        given: ["csrf", "session"]
      }),
      scenario("csrf", `POST ${path} without cookie`, [bare(path, { form: {}, csrf: "wrong" })]),
      scenario(
        "csrf",
        `POST ${path} without token, answer wanted as JSON`,
        [bare(path, { form: {}, headers: { "x-auth-return-redirect": "1" } })],
        { given: ["csrf", "session"] }
      ),
      scenario(
        "csrf",
        `POST ${path} with the check switched off`,
        [bare(path, { form: { username: "ada", password: "secret" } })],
        { given: ["session"], config: (kit) => watched(kit, { skipCSRFCheck: kit.implementation.skipCSRFCheck }) }
      )
    ]
  ),
  ...callbackUrls.flatMap((state) =>
    ["/auth/session", "/auth/csrf", "/auth/providers", "/auth/signin", "/auth/signout", "/auth/error"]
      .map((path) =>
        scenario("callback-url-cookie", `GET ${path} with ${state}`, [get(path)], { given: [state, "csrf"] })
      )
      .concat([
        scenario("callback-url-cookie", `POST signout with ${state}`, [post("/auth/signout")], {
          given: [state, "csrf", "session"]
        }),
        scenario(
          "callback-url-cookie",
          `POST callback with ${state}`,
          [post("/auth/callback/password", { username: "ada", password: "secret" })],
          { given: [state, "csrf"] }
        )
      ])
  ),
  scenario("rotation", "session sealed with the older secret", [get("/auth/session")], {
    given: ["session-old-secret"],
    config: rotated
  }),
  scenario("rotation", "session sealed with the newest secret", [get("/auth/session")], {
    given: ["session"],
    config: rotated
  }),
  scenario("rotation", "csrf cookie of both secrets", [get("/auth/csrf")], { given: ["csrf"], config: rotated }),
  scenario("rotation", "sign-out with the older secret", [post("/auth/signout")], {
    given: ["session-old-secret", "csrf"],
    config: rotated
  }),
  scenario("csrf", "switched off: GET csrf", [get("/auth/csrf")], {
    given: ["csrf"],
    config: (kit) => ({ providers: [oauth(kit)], skipCSRFCheck: kit.implementation.skipCSRFCheck })
  }),
  scenario("csrf", "switched off: GET signin", [get("/auth/signin")], {
    config: (kit) => ({ providers: [oauth(kit), password(kit)], skipCSRFCheck: kit.implementation.skipCSRFCheck })
  }),
  scenario("csrf", "the marker of another copy", [bare("/auth/signout", { form: {} })], {
    given: ["session"],
    config: (kit) => ({ providers: [oauth(kit)], skipCSRFCheck: Symbol("skip-csrf-check") })
  }),
  scenario("csrf", "another symbol does not switch it off", [bare("/auth/signout", { form: {} })], {
    given: ["session"],
    config: (kit) => ({ providers: [oauth(kit)], skipCSRFCheck: Symbol("other") })
  }),
  scenario("csrf", "true does not switch it off", [bare("/auth/signout", { form: {} })], {
    given: ["session"],
    config: (kit) => ({ providers: [oauth(kit)], skipCSRFCheck: true })
  })
]
