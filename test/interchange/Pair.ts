/**
 * One browser and two servers of one site: `there` is `@auth/core`, `here` is this library. Both have the same secret, the
 * same configuration and the same store; the browser has one jar of cookies and asks whichever of them is named.
 */
import { assert } from "vitest"
import { FakeProvider } from "../differential/FakeProvider.ts"
import { type Config, ours, peer } from "../differential/Implementation.ts"
import { type Row, Store } from "../differential/Store.ts"
import { type Visitor, secret, visitor } from "../Visitor.ts"

/** Which of the servers answers. */
export type Side = "there" | "here"

/** Both ways of changing from one to the other. */
export const ways: ReadonlyArray<readonly [Side, Side]> = [
  ["there", "here"],
  ["here", "there"]
]

/** The parts of the configuration. */
export interface World {
  readonly idp: FakeProvider
  readonly store: Store
  /** Links of the mails that were sent, newest last. */
  readonly links: Array<string>
}

/** The site, and one browser that visits it. */
export interface Pair extends World {
  readonly browser: Visitor
  /** From now on the browser is answered by this side. */
  readonly turn: (side: Side) => void
  /** The side that answers now. */
  readonly side: () => Side
  /** Answers one request without the browser. */
  readonly ask: (side: Side, request: Request) => Promise<Response>
  /** Errors in the servers' logs. */
  readonly logged: Array<string>
}

/** Options of a pair. */
export interface Setting {
  readonly origin?: string
  readonly openid?: boolean
  readonly config?: (world: World, side: Side) => Config
}

const library = await ours()

/** A site whose configuration has nothing but what is said. Each server gets a copy of its own. */
export const pair = ({ config = () => ({}), openid = false, origin = "https://app.example" }: Setting = {}): Pair => {
  const idp = new FakeProvider()
  if (openid) idp.asOpenId()
  const world: World = { idp, store: new Store(), links: [] }
  const logged: Array<string> = []
  const logger = {
    error: (error: Error) => void logged.push(`${error.name}: ${error.message}`),
    warn: () => undefined,
    debug: () => undefined
  }
  const made = (side: Side): Config => ({
    trustHost: true,
    secret,
    basePath: "/auth",
    logger,
    providers: [],
    ...config(world, side)
  })
  const [theirs, own] = [made("there"), made("here")]
  const ask = async (side: Side, request: Request): Promise<Response> => {
    const answer = side === "there" ? await peer.Auth(request, theirs) : await library.Auth(request, own)
    assert.instanceOf(answer, Response)
    return answer
  }
  let now: Side = "there"
  const browser = visitor((request) => ask(now, request), origin)
  return { ...world, browser, logged, ask, turn: (side) => void (now = side), side: () => now }
}

/** A password of one user, whose name may be anything. */
export const password = (): object => ({
  id: "password",
  name: "Password",
  type: "credentials",
  credentials: { username: {}, password: {} },
  authorize: ({ password, username }: Record<string, string>) =>
    password === "secret" ? { id: "user-1", name: username, email: "ada@example.com" } : null
})

type Fields = Record<PropertyKey, unknown>

/** A provider with fixed endpoints. */
export const oauth = ({ idp }: World, more: Fields = {}): Fields => ({
  id: "acme",
  name: "Acme",
  type: "oauth",
  authorization: `${idp.issuer}/authorize`,
  token: `${idp.issuer}/token`,
  userinfo: `${idp.issuer}/userinfo`,
  clientId: "client-1",
  clientSecret: "client-secret-1",
  [peer.customFetch]: idp.fetch,
  ...more
})

/** A provider that is discovered. */
export const oidc = ({ idp }: World, more: Fields = {}): Fields => ({
  id: "acme",
  name: "Acme",
  type: "oidc",
  issuer: idp.issuer,
  clientId: "client-1",
  clientSecret: "client-secret-1",
  [peer.customFetch]: idp.fetch,
  ...more
})

/** A mailbox. A visit of the link uses it up on both sides. */
export const email = ({ links }: World, more: Fields = {}): Fields => ({
  id: "email",
  name: "Email",
  type: "email",
  maxAge: 86_400,
  consumeOn: "get",
  sendVerificationRequest: ({ url }: { readonly url: string }) => {
    links.push(url)
    return Promise.resolve()
  },
  ...more
})

/** The signed-in user at this side. */
export const whoAt = async ({ browser, turn }: Pair, side: Side): Promise<string | undefined> => {
  turn(side)
  const name = (await browser.session())?.user?.["name"]
  return typeof name === "string" ? name : undefined
}

/** The error that a redirect leads to. */
export const errorOf = (answer: Response): string | undefined => {
  const query = new URL(answer.headers.get("location") ?? "", "https://none.example").searchParams
  const error = query.get("error") ?? undefined
  const code = query.get("code")
  return error !== undefined && code !== null ? `${error}/${code}` : error
}

/** Follows the last redirect to the provider and agrees there: the path to come back to. */
export const agree = ({ idp }: World, answer: Response): string => {
  const back = idp.authorize(answer.headers.get("location") ?? "")
  return `${back.pathname}${back.search}`
}

/** A user of the store. */
export const ada: Row = { id: "user-1", name: "Ada", email: "ada@example.com", emailVerified: new Date(0), image: null }
