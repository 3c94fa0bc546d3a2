/**
 * A site of this library, and the provider of the test kit beside it: the part of a relying party in the OpenID Foundation's
 * conformance suite.
 *
 * The two talk by a function in this process, or through real sockets of the loopback interface.
 */
import * as Effect from "effect/Effect"
import { generateKeyPair, type JWTPayload } from "jose"
import { buffer } from "node:stream/consumers"
import { listenOnLoopback, sendWebResponse } from "../../demo/WebServer.ts"
import { type AdapterShape, makeMemory } from "../../src/Adapter.ts"
import { customFetch } from "../../src/index.ts"
import {
  type Algorithm,
  type FaultName,
  IdentityProvider,
  type IdentityProviderOptions,
  type ProviderRequest,
  type TestProvider
} from "../../src/testing/IdentityProvider.ts"
import { facade, ownSite, site, type Visitor, visitor } from "../Visitor.ts"
import { loggingOut, type LogoutBehaviour, refreshing, signedUserinfo, signingBySecret, type ToSite } from "./Fronts.ts"
import { type ProfileBehaviour, securityProfile } from "./SecurityProfile.ts"

/** How the site and the provider reach each other. */
export type Network = "function" | "sockets"

/** The provider's behaviour in a module, and the site's configuration for it. */
export interface Part {
  /** The provider's fault, or unusual behaviour. */
  readonly dials?: ReadonlyArray<FaultName>
  readonly algorithm?: Algorithm
  /** The algorithm that the site expects, where it is not that of the provider. */
  readonly expectedAlgorithm?: string
  /** Somebody signed in before, so that metadata and keys are known, and then the provider took another key into use. */
  readonly rotation?: "before the sign-in" | "before the token is signed"
  /** Userinfo is answered as a signed token. */
  readonly signedUserinfo?: boolean
  readonly formPost?: boolean
  /** The provider is one of the FAPI 2 security profile, and the site is configured for it. */
  readonly profile?: ProfileBehaviour
  /** The ID token is signed with the client secret, or with another one. */
  readonly signedBySecret?: "right" | "wrong"
  /** Claims of the ID token that comes with a refresh, in the place of the right ones. */
  readonly refreshed?: JWTPayload
  /** The site signs out at the provider. */
  readonly logout?: LogoutBehaviour
}

/** The endpoints of the provider, by their paths, in the order in which a sign-in asks them. */
const paths = {
  discovery: "/.well-known/openid-configuration",
  authorization: "/authorize",
  token: "/token",
  keys: "/keys",
  userinfo: "/userinfo",
  logout: "/logout"
} as const

/** An endpoint of the provider. */
export type Endpoint = keyof typeof paths

/** The requests that came to an endpoint. */
export const requestsTo = (
  { requests }: { readonly requests: ReadonlyArray<ProviderRequest> },
  endpoint: Endpoint
): ReadonlyArray<ProviderRequest> => requests.filter(({ path }) => path === paths[endpoint])

const expectedAlgorithm = ({ algorithm = "RS256", expectedAlgorithm: expected = algorithm, signedBySecret }: Part) =>
  signedBySecret === undefined ? expected : "HS256"

/** The provider as a part has it. */
const playing = (idp: TestProvider, part: Part, toSite: ToSite): typeof fetch => {
  if (part.profile !== undefined) return securityProfile(idp, part.profile)
  if (part.signedUserinfo === true) return signedUserinfo(idp)
  if (part.refreshed !== undefined) return refreshing(idp, part.refreshed)
  if (part.signedBySecret !== undefined) return signingBySecret(idp, part.signedBySecret)
  return part.logout === undefined ? idp.fetch : loggingOut(idp, part.logout, toSite)
}

/** The provider of a part, on the network of its choice. */
const provide = async (part: Part, network: Network, toSite: ToSite) => {
  const shared: IdentityProviderOptions = part.algorithm === undefined ? {} : { algorithm: part.algorithm }
  if (network === "function") {
    const idp = IdentityProvider.make(shared)
    const answer = playing(idp, part, toSite)
    return { idp, fetch: answer, options: { [customFetch]: answer }, close: () => Promise.resolve() }
  }
  const server = await listenOnLoopback(0)
  const idp = IdentityProvider.make({ ...shared, issuer: `http://127.0.0.1:${server.port}` })
  const answer = playing(idp, part, toSite)
  server.serve((incoming, outgoing) => {
    const { headers, method = "GET", url = "/" } = incoming
    void buffer(incoming)
      .then((body) =>
        answer(`${idp.issuer}${url}`, {
          method,
          headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
          ...(body.length === 0 ? {} : { body: new Uint8Array(body) })
        })
      )
      .then(
        (response) => sendWebResponse(response, outgoing, method),
        () => void outgoing.destroy()
      )
  })
  return { idp, fetch, options: {}, close: server.close }
}

/** A site and its provider, while a module runs. */
export interface Stage {
  readonly idp: TestProvider
  readonly store: AdapterShape
  readonly config: ReturnType<typeof ownSite>
  /** A browser that has not been at the site. */
  readonly browser: () => Visitor
  /** Fetches from the provider as a browser does. */
  readonly visit: typeof fetch
  /** Lets a person sign in; `between` runs once the person agreed at the provider. */
  readonly signIn: (browser: Visitor, between?: () => Promise<void>) => ReturnType<Visitor["session"]>
  /** The site's answer to the provider's logout token. */
  readonly answers: ReadonlyArray<Response>
}

/** Plays a part, and closes what was opened for it. */
export const play = async <A>(part: Part, network: Network, run: (stage: Stage) => Promise<A>): Promise<A> => {
  const answers: Array<Response> = []
  const toSite: ToSite = {
    post: async (token) => {
      answers.push(await visitor(app).post("/auth/backchannel-logout/idp", { logout_token: token }))
    }
  }
  const { close, fetch: visit, idp, options } = await provide(part, network, toSite)
  const store = makeMemory()
  const provider = idp.provider({
    ...options,
    checks: ["pkce", "state", "nonce"],
    // Userinfo is where every module of the suite ends.
    idToken: false,
    ...(part.profile === undefined ? {} : { dpop: await generateKeyPair("ES256") }),
    ...(part.logout === undefined ? {} : { logout: "provider" as const, backchannelLogout: true }),
    client: {
      id_token_signed_response_alg: expectedAlgorithm(part),
      ...(part.signedUserinfo === true ? { userinfo_signed_response_alg: "RS256" } : {})
    },
    ...(part.formPost === true ? { authorization: { params: { response_mode: "form_post" } } } : {})
  })
  const keepsRows = part.refreshed !== undefined || part.logout !== undefined
  const config = ownSite({ origin: site, providers: [provider], ...(keepsRows ? { adapter: store } : {}) })
  const app = facade(config)

  const signIn: Stage["signIn"] = async (browser, between = () => Promise.resolve()) => {
    const start = await browser.submit("/auth/signin/idp")
    const away = new URL(start.headers.get("location") ?? "about:blank")
    if (away.origin === new URL(idp.issuer).origin) {
      // The test provider answers by query alone: for the other mode, its answer is posted here as its page would do.
      away.searchParams.delete("response_mode")
      const agreed = await visit(away, { redirect: "manual" })
      await between()
      const back = new URL(agreed.headers.get("location") ?? "about:blank")
      if (part.formPost === true) await browser.post(back.pathname, [...back.searchParams], { origin: idp.issuer })
      else await browser.get(back.pathname + back.search)
    }
    return browser.session()
  }
  try {
    return await run({ idp, store, config, browser: () => visitor(app), visit, signIn, answers })
  } finally {
    await close()
  }
}

/** Sets the dials of a part. */
export const setDials = ({ idp }: Stage, { dials = [] }: Part): Promise<void> => Effect.runPromise(idp.set(...dials))
