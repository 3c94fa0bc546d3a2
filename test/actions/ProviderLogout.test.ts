/**
 * Signing out at the provider as well (OpenID Connect RP-Initiated Logout 1.0 sections 2 and 3).
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { AuthRequest } from "../../src/http/AuthRequest.ts"
import { readSession } from "../../src/access/ServerRequest.ts"
import * as ServerSignOut from "../../src/actions/ServerSignOut.ts"
import { attributesOf, browser, cookieOf, type Log } from "../Browser.ts"
import { atSite, endSessionEndpoint, providerWith, signedIn, strategies, logoutSite } from "./LogoutSite.ts"
import { site } from "../Visitor.ts"

const kept = "__Secure-authjs.id-token"
const record = "__Secure-authjs.logout"
const callbackUrl = `${site}/bye?x=1`

for (const [kind, session] of Object.entries(strategies)) {
  describe(`a sign-out with logout: "provider", ${kind}`, () => {
    it.effect(
      "P122, P125, P281 ends the session here, then goes on with the hint, the client, the address and a state",
      () => {
        const provider = providerWith()
        return Effect.gen(function* () {
          const person = yield* signedIn(provider)
          const seen = yield* person.submit("/auth/signout", { callbackUrl })
          const url = new URL(seen.location ?? "")
          assert.strictEqual(seen.status, 302)
          assert.strictEqual(url.origin + url.pathname, endSessionEndpoint)
          const { state, ...parameters } = Object.fromEntries(url.searchParams)
          assert.deepStrictEqual(parameters, {
            id_token_hint: provider.issued[0] ?? "",
            client_id: "client-1",
            post_logout_redirect_uri: `${site}/auth/signout/idp`
          })
          assert.match(state ?? "", /^[\w-]{43}$/)
          assert.isFalse(person.cookies.has(kept))
          assert.isNull(yield* person.session)

          const back = yield* person.get(`/auth/signout/idp?state=${state}`)
          assert.strictEqual(back.location, callbackUrl)
          assert.isFalse(person.cookies.has(record))
        }).pipe(atSite({ logout: "provider" }, session(), provider))
      }
    )

    it.effect(
      "P124 goes to the start page for a state that is wrong, missing, double, of another browser or used",
      () => {
        const provider = providerWith()
        return Effect.gen(function* () {
          const leave = Effect.gen(function* () {
            const person = yield* signedIn(provider)
            const { location } = yield* person.submit("/auth/signout", { callbackUrl })
            return { person, state: new URL(location ?? "").searchParams.get("state") ?? "" }
          })
          for (const query of ["?state=other", "", "?state=", "?state=STATE&state=STATE", "?state=STATE&state=other"]) {
            const { person, state } = yield* leave
            const seen = yield* person.get(`/auth/signout/idp${query.replaceAll("STATE", state)}`)
            assert.strictEqual(seen.location, site, query)
            assert.isFalse(person.cookies.has(record), query)
          }
          const { person, state } = yield* leave
          assert.strictEqual((yield* browser().get(`/auth/signout/idp?state=${state}`)).location, site)
          const copy = browser()
          for (const [name, value] of person.cookies) copy.cookies.set(name, value)
          assert.strictEqual((yield* person.get(`/auth/signout/idp?state=${state}`)).location, callbackUrl)
          assert.strictEqual((yield* copy.get(`/auth/signout/idp?state=${state}`)).location, site)
        }).pipe(atSite({ logout: "provider" }, session(), provider))
      }
    )

    it.effect(
      "by code of the application removes the ID token as well, at an address that the browser does not send it to",
      () => {
        const provider = providerWith()
        return Effect.gen(function* () {
          const person = yield* signedIn(provider)
          assert.isTrue(person.cookies.has(kept))
          const cookies = [...person.cookies].filter(([name]) => !name.startsWith(kept))
          const { url } = new Request(`${site}/account`)
          const request = readSession(
            new URL(url),
            { values: new Map(cookies), conflicts: undefined },
            new Headers(),
            "POST"
          )
          const outcome = yield* Effect.provideService(ServerSignOut.signOut, AuthRequest, request)
          assert.isUndefined(outcome.failure)
          const removed = outcome.cookies.filter(({ name, value }) => value === "" && name.startsWith(kept))
          assert.include(
            removed.map(({ name }) => name),
            kept
          )
          assert.isTrue(removed.every(({ options }) => options.path === "/auth/signout"))
          assert.isNull(yield* person.session)
        }).pipe(atSite({ logout: "provider" }, session(), provider))
      }
    )

    it.effect("P123 stays here for a provider without the endpoint, and the address says so", () => {
      const provider = providerWith({})
      return Effect.gen(function* () {
        const person = yield* signedIn(provider)
        const seen = yield* person.submit("/auth/signout", { callbackUrl })
        assert.strictEqual(seen.location, `${callbackUrl}&logout=local`)
        assert.isNull(yield* person.session)
      }).pipe(atSite({ logout: "provider" }, session(), provider))
    })

    it.effect("goes on for the request alone, and stays for the request alone", () => {
      const provider = providerWith()
      return Effect.gen(function* () {
        const person = yield* signedIn(provider)
        const seen = yield* person.submit("/auth/signout", { callbackUrl, logout: "provider" })
        assert.isTrue(seen.location?.startsWith(`${endSessionEndpoint}?`))
        const other = yield* signedIn(provider)
        assert.strictEqual((yield* other.submit("/auth/signout", { callbackUrl })).location, callbackUrl)
      }).pipe(
        atSite({ logout: "local" }, session(), provider),
        Effect.andThen(
          Effect.gen(function* () {
            const person = yield* signedIn(provider)
            const seen = yield* person.submit("/auth/signout", { callbackUrl, logout: "local" })
            assert.strictEqual(seen.location, callbackUrl)
            assert.isNull(yield* person.session)
          }).pipe(atSite({ logout: "provider" }, session(), provider))
        )
      )
    })

    it.play("keeps nothing and knows no address without the option", logoutSite({}, session()), function* (scene) {
      const { provider } = scene
      const person = yield* signedIn(provider)
      assert.isFalse([...person.cookies.keys()].some((name) => name.startsWith(kept)))
      for (const path of ["/auth/signout/idp", "/auth/backchannel-logout/idp"]) {
        const [get, posted] = [yield* person.get(path), yield* person.submit(path)]
        assert.deepStrictEqual([get.status, get.body, posted.status], [400, '"Bad request."', 400], path)
      }
      const seen = yield* person.submit("/auth/signout", { callbackUrl })
      assert.strictEqual(seen.location, callbackUrl)
    })
  })
}

describe("the ID token that waits for the sign-out", () => {
  it.effect("is sealed, and sent to the sign-out alone", () => {
    const provider = providerWith()
    return Effect.gen(function* () {
      const person = browser()
      const back = yield* person.get(provider.agree(yield* person.leave()))
      const line = back.lines.find((one) => cookieOf(one).name === kept) ?? ""
      const { httponly, path, samesite, secure } = attributesOf(line)
      assert.deepStrictEqual({ path, samesite }, { path: "/auth/signout", samesite: "Lax" })
      assert.isTrue([httponly, secure].every((flag) => flag !== undefined))
      assert.notInclude(back.lines.join("\n"), provider.issued[0] ?? "-")
      assert.notInclude(back.lines.join("\n"), (provider.issued[0] ?? "").split(".")[1] ?? "-")
    }).pipe(atSite({ logout: "provider" }, strategies["token sessions"](), provider))
  })

  it.effect("is of no use to another session", () => {
    const provider = providerWith()
    return Effect.gen(function* () {
      const [one, other] = [yield* signedIn(provider), yield* signedIn(provider, "provider-session-2", "person-2")]
      one.cookies.set(kept, other.cookies.get(kept) ?? "")
      const seen = yield* one.submit("/auth/signout", { callbackUrl })
      assert.strictEqual(seen.location, callbackUrl)
      assert.isFalse(one.cookies.has(kept))
      yield* other.signInWithPassword()
      const later = yield* other.submit("/auth/signout", { callbackUrl, logout: "provider" })
      assert.strictEqual(later.location, `${callbackUrl}&logout=local`)
    }).pipe(atSite({ logout: "provider" }, strategies["token sessions"](), provider))
  })

  it.effect("P128 is not needed for the sign-out here: a provider that is down keeps no user signed in", () => {
    const provider = providerWith()
    const log: Log = { entries: [] }
    return Effect.gen(function* () {
      const person = yield* signedIn(provider)
      provider.script["/.well-known/openid-configuration"] = () => new Response("down", { status: 503 })
      const seen = yield* person.submit("/auth/signout", { callbackUrl })
      assert.isNull(yield* person.session)
      // Its metadata is known for an hour, and for a day while it is down.
      assert.isTrue(seen.location?.startsWith(`${endSessionEndpoint}?`))
    }).pipe(atSite({ logout: "provider" }, strategies["token sessions"](), provider, log))
  })

  it.effect("leads nowhere that the metadata of a public issuer must not name", () => {
    const log: Log = { entries: [] }
    const provider = providerWith({ end_session_endpoint: "http://127.0.0.1/logout" })
    return Effect.gen(function* () {
      const person = yield* signedIn(provider)
      const seen = yield* person.submit("/auth/signout", { callbackUrl })
      assert.strictEqual(seen.location, `${callbackUrl}&logout=local`)
      assert.isTrue(log.entries.some(({ message }) => String(message).includes("ProviderTokenError")))
    }).pipe(atSite({ logout: "provider" }, strategies["token sessions"](), provider, log))
  })

  it.effect("is left out of the address where no cookie has room for it", () => {
    const provider = providerWith()
    // Not in the session, whose cookies would leave no room even for the name of the provider.
    provider.claims["groups"] = "x".repeat(6000)
    return Effect.gen(function* () {
      const person = yield* signedIn(provider)
      const { location } = yield* person.submit("/auth/signout", { callbackUrl })
      assert.deepStrictEqual(
        [...new URL(location ?? "").searchParams.keys()],
        ["post_logout_redirect_uri", "client_id", "state"]
      )
    }).pipe(atSite({ logout: "provider" }, strategies["token sessions"](), provider))
  })

  it.effect("may lead from the built-in page to an endpoint of another origin than the issuer", () => {
    const provider = providerWith({ end_session_endpoint: "https://logout.example/end" })
    return Effect.gen(function* () {
      const person = yield* signedIn(provider)
      const { headers } = yield* person.get("/auth/signout")
      const policy = headers.get("content-security-policy") ?? ""
      assert.match(policy, /form-action 'self'[^;]* https:(?:;| )/)
      const { location } = yield* person.submit("/auth/signout", { callbackUrl })
      assert.strictEqual(new URL(location ?? "").origin, "https://logout.example")
    }).pipe(atSite({ logout: "provider" }, strategies["token sessions"](), provider))
  })

  it.effect("P127 waits for a form: GET ends nothing", () => {
    const provider = providerWith()
    return Effect.gen(function* () {
      const person = yield* signedIn(provider)
      yield* person.get("/auth/signout?logout=provider")
      yield* person.get("/auth/signout/idp")
      assert.isNotNull(yield* person.session)
      assert.isTrue(person.cookies.has(kept))
      const posted = yield* person.submit("/auth/signout/idp")
      assert.strictEqual(posted.status, 405)
    }).pipe(atSite({ logout: "provider" }, strategies["token sessions"](), provider))
  })
})
