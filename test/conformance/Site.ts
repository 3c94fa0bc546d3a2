/**
 * A site that signs people in at the test provider, and what the provider sees of it: the part of a relying party in the
 * OpenID Foundation's conformance suite.
 *
 * The two talk by a function in this process, or through real sockets of the loopback interface.
 */
import * as Effect from "effect/Effect"
import { generateKeyPair, importJWK, SignJWT } from "jose"
import { buffer } from "node:stream/consumers"
import { listenOnLoopback, sendWebResponse } from "../../demo/WebServer.ts"
import { customFetch } from "../../src/index.ts"
import { testKeys } from "../../src/testing/idp/TestKeys.ts"
import {
  type Algorithm,
  type FaultName,
  IdentityProvider,
  type IdentityProviderOptions,
  type ProviderRequest,
  type TestProvider
} from "../../src/testing/IdentityProvider.ts"
import { type ProfileBehaviour, securityProfile } from "./SecurityProfile.ts"
import { facade, ownSite, site, visitor } from "../Visitor.ts"

/** How the site and the provider reach each other. */
export type Network = "function" | "sockets"

/** What the provider does in a module, and how the site is configured for it. */
export interface Part {
  /** What the provider does wrong, or in an unusual way. */
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
}

/** What became of it. */
export interface Outcome {
  readonly signedIn: boolean
  /** The address in the session. */
  readonly email: unknown
  /** Requests of the last sign-in, the oldest first. */
  readonly requests: ReadonlyArray<ProviderRequest>
}

const paths = {
  discovery: "/.well-known/openid-configuration",
  authorization: "/authorize",
  token: "/token",
  keys: "/keys",
  userinfo: "/userinfo"
} as const

/** An endpoint of the provider. */
export type Endpoint = keyof typeof paths

/** The requests that came to an endpoint. */
export const requestsTo = ({ requests }: Outcome, endpoint: Endpoint): ReadonlyArray<ProviderRequest> =>
  requests.filter(({ path }) => path === paths[endpoint])

/** The claims of a userinfo response as a signed token (OpenID Connect Core section 5.3.2). */
const signed = async (response: Response, issuer: string): Promise<Response> => {
  const { first } = testKeys.RS256
  const token = await new SignJWT({ ...((await response.json()) as object), iss: issuer, aud: "test-client" })
    .setProtectedHeader({ alg: "RS256", kid: first.kid })
    .sign(await importJWK(first, "RS256"))
  return new Response(token, { headers: { "content-type": "application/jwt" } })
}

/** The provider of a part, on the network of its choice. */
const provide = async (part: Part, network: Network) => {
  const shared: IdentityProviderOptions = part.algorithm === undefined ? {} : { algorithm: part.algorithm }
  const fetchOf =
    (
      idp: TestProvider,
      answer = part.profile === undefined ? idp.fetch : securityProfile(idp, part.profile)
    ): typeof fetch =>
    async (input, init) => {
      const request = new Request(input, init)
      const response = await answer(request)
      const isUserinfo = new URL(request.url).pathname === paths.userinfo
      return part.signedUserinfo === true && isUserinfo && response.ok ? signed(response, idp.issuer) : response
    }
  if (network === "function") {
    const idp = IdentityProvider.make(shared)
    const answer = fetchOf(idp)
    return { idp, fetch: answer, options: { [customFetch]: answer }, close: () => Promise.resolve() }
  }
  const server = await listenOnLoopback(0)
  const idp = IdentityProvider.make({ ...shared, issuer: `http://127.0.0.1:${server.port}` })
  const answer = fetchOf(idp)
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

/** Lets the site sign a person in at the provider. */
export const signIn = async (part: Part, network: Network): Promise<Outcome> => {
  const { close, fetch: visit, idp, options } = await provide(part, network)
  try {
    const provider = idp.provider({
      ...options,
      checks: ["pkce", "state", "nonce"],
      // Userinfo is where every module of the suite ends.
      idToken: false,
      ...(part.profile === undefined ? {} : { dpop: await generateKeyPair("ES256") }),
      client: {
        id_token_signed_response_alg: part.expectedAlgorithm ?? part.algorithm ?? "RS256",
        ...(part.signedUserinfo === true ? { userinfo_signed_response_alg: "RS256" } : {})
      },
      ...(part.formPost === true ? { authorization: { params: { response_mode: "form_post" } } } : {})
    })
    const app = facade(ownSite({ origin: site, providers: [provider] }))
    const rotate = () => Effect.runPromise(idp.set("keysReplaced"))

    const journey = async (between: () => Promise<void>) => {
      const browser = visitor(app)
      const from = idp.requests.length
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
      const session = await browser.session()
      return { signedIn: session !== null, email: session?.user?.["email"], requests: idp.requests.slice(from) }
    }

    const nothing = () => Promise.resolve()
    if (part.rotation !== undefined) await journey(nothing)
    if (part.rotation === "before the sign-in") await rotate()
    await Effect.runPromise(idp.set(...(part.dials ?? [])))
    return await journey(part.rotation === "before the token is signed" ? rotate : nothing)
  } finally {
    await close()
  }
}
