/** Steps of a person, the site and the application in a module: they sign in, refresh a token, or sign out. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { createAuth } from "../../src/index.ts"
import type { ProviderRequest } from "../../src/testing/IdentityProvider.ts"
import { site } from "../Visitor.ts"
import { forFunctions } from "../ForFunctions.ts"
import { type Network, type Part, play, requestsTo, setDials, type Stage } from "./Site.ts"

/** The result. */
export interface Outcome {
  /** `neither`: the site did one half of what it should do. */
  readonly end: "done" | "refused" | "neither"
  /** The address in the session. */
  readonly email: unknown
  /** Requests of the last step, the oldest first. */
  readonly requests: ReadonlyArray<ProviderRequest>
  /** Where the browser was at last, after signing out. */
  readonly landing?: string | undefined
}

/** Lets a person sign in at the provider. */
export const signIn = (part: Part, network: Network): Promise<Outcome> =>
  play(part, network, async (stage) => {
    const { idp } = stage
    const rotate = () => Effect.runPromise(idp.set("keysReplaced"))
    const { rotation } = part
    if (rotation !== undefined) await stage.signIn(stage.browser())
    if (rotation === "before the sign-in") await rotate()
    await setDials(stage, part)
    const from = idp.requests.length
    const session = await stage.signIn(stage.browser(), rotation === "before the token is signed" ? rotate : undefined)
    return {
      end: session === null ? "refused" : "done",
      email: session?.user?.["email"],
      requests: idp.requests.slice(from)
    }
  })

/** The account of the person, whose access token has ended. */
const endedAccount = async ({ store }: Stage) => {
  const { provider, providerAccountId, refresh_token, userId } = Option.getOrThrow(
    await Effect.runPromise(store.getAccount("ada", "idp"))
  )
  await Effect.runPromise(store.updateAccount({ provider, providerAccountId, expires_at: 1 }, { refresh_token }))
  return userId
}

/** Lets the application ask for a token that has ended, and ask userinfo with the one that it gets. */
export const refresh = (part: Part, network: Network): Promise<Outcome> =>
  play(part, network, async (stage) => {
    const { config, idp } = stage
    const session = await stage.signIn(stage.browser())
    const userId = await endedAccount(stage)
    const from = idp.requests.length
    const { providerTokens } = createAuth(forFunctions({ ...config, env: {} }))
    const token = await providerTokens.get({ userId, provider: "idp" }).catch(() => undefined)
    const headers = { authorization: `Bearer ${token?.accessToken ?? ""}` }
    const userinfo = token === undefined ? undefined : await stage.visit(`${idp.issuer}/userinfo`, { headers })
    return {
      end: userinfo === undefined ? "refused" : userinfo.ok ? "done" : "neither",
      email: session?.user?.["email"],
      requests: idp.requests.slice(from)
    }
  })

/**
 * Lets a person sign out, who has signed in with two browsers. It is done when the session of the first has ended, and, where the
 * provider tells the site of the logout, when the site answers 200 and the session of the second has ended too.
 */
export const signOut = (part: Part, network: Network): Promise<Outcome> =>
  play(part, network, async (stage) => {
    const { answers, idp } = stage
    const [browser, other] = [stage.browser(), stage.browser()]
    const session = await stage.signIn(browser)
    await stage.signIn(other)
    const from = idp.requests.length
    const away = await browser.submit("/auth/signout", { callbackUrl: `${site}/goodbye` })
    const ended = await stage.visit(away.headers.get("location") ?? "about:blank", { redirect: "manual" })
    const back = new URL(ended.headers.get("location") ?? "about:blank")
    const landing = (await browser.get(back.pathname + back.search)).headers.get("location") ?? undefined
    const isSignedOut = (await browser.session()) === null
    const isOtherSignedOut = (await other.session()) === null
    const isTold = part.logout?.token !== undefined
    const [answer] = answers
    const isDone = isOtherSignedOut === isTold && (answer?.status ?? 200) === 200
    const isRefused = answer?.status === 400 && !isOtherSignedOut
    const end = isDone && isSignedOut ? "done" : isRefused && isSignedOut ? "refused" : "neither"
    return { end, email: session?.user?.["email"], requests: idp.requests.slice(from), landing }
  })

/** The parameters of the logout request. */
export const logoutParameters = (outcome: Outcome): URLSearchParams =>
  new URL(requestsTo(outcome, "logout")[0]?.url ?? "about:blank").searchParams
