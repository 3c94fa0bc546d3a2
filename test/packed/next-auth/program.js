/**
 * Plays visits with each version of next-auth, and prints what became of each as a line of JSON: `{ version, mistake,
 * environment, visitor, way, outcome }`. `outcome` is `in` where the visitor saw the protected part.
 */
import { within } from "./platform.js"
import { NextRequest } from "next/server.js"
import { mistakes, password, sound, variables } from "./mistakes.js"

const origin = "https://app.example"
const page = `${origin}/private`

const load = async (version) => (await import(`next-auth-${version}`)).default

const setEnvironment = (environment, mistake) => {
  for (const name of Object.keys(process.env))
    if (/^(?:NEXT)?AUTH_|^NODE_ENV$|^VERCEL/.test(name)) delete process.env[name]
  Object.assign(process.env, environment, variables(mistake))
}

const headersOf = (cookie) =>
  new Headers({ host: "app.example", "x-forwarded-proto": "https", ...(cookie === undefined ? {} : { cookie }) })

/** The ways in which applications ask who is signed in; each answers whether the visitor got in. */
const ways = {
  "auth() in a server component": async (next, cookie) => {
    const { auth } = next()
    return within(headersOf(cookie), new Map(), async () => !!(await auth()))
  },
  "authorized in the middleware": async (next, cookie) => {
    const { auth } = next()
    const response = await auth(new NextRequest(page, { headers: headersOf(cookie) }), {})
    return response.headers.get("x-middleware-next") === "1"
  },
  "req.auth in the middleware": async (next, cookie) => {
    const { auth } = next({ authorized: undefined })
    const handler = await auth((request) => new Response(null, { status: request.auth ? 200 : 401 }))
    return (await handler(new NextRequest(page, { headers: headersOf(cookie) }), {})).ok
  },
  "auth(req, res) in an API route": async (next, cookie) => {
    const { auth } = next()
    return !!(await auth({ headers: Object.fromEntries(headersOf(cookie)) }, { appendHeader: () => undefined }))
  }
}

const attempt = async (run) => {
  try {
    return (await run()) ? "in" : "out"
  } catch (error) {
    return `refused by ${error?.name ?? "an error"}`
  }
}

/** A configuration as an object, or as a function that makes one for each request. */
const forms = {
  object: (make) => make(),
  function: (make) => (version) => (version >= 21 ? async () => make() : () => make())
}

const visit = async (print, version, NextAuth, mistake, environment, cookie) => {
  for (const [form, wrap] of Object.entries(forms))
    for (const [way, play] of Object.entries(ways)) {
      setEnvironment(environment, mistake)
      const outcome = await attempt(() =>
        play((callbacks) => {
          const make = () => {
            const config = mistakes[mistake]?.() ?? sound()
            return {
              ...config,
              logger: { error: () => undefined, warn: () => undefined },
              callbacks: { authorized: ({ auth }) => !!auth, ...config.callbacks, ...callbacks }
            }
          }
          const given = wrap(make)
          return NextAuth(form === "function" ? given(version) : given)
        }, cookie)
      )
      print({
        version,
        mistake,
        environment: environment.NODE_ENV ?? "none",
        form,
        visitor: cookie?.who ?? "none",
        way,
        outcome
      })
    }
}

const cookieOf = (response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ")

/** Signs in with a password at the route handlers, and out again by a server action; says what was seen on the way. */
const journey = async (version, NextAuth) => {
  setEnvironment({}, "none")
  const { auth, handlers, signIn, signOut, unstable_update } = NextAuth(sound())
  const url = (path) => `${origin}/api/auth/${path}`
  const csrf = await handlers.GET(new NextRequest(url("csrf"), { headers: headersOf() }))
  const { csrfToken } = await csrf.json()
  const form = new URLSearchParams({ csrfToken, username: "bob", password })
  const headers = headersOf(cookieOf(csrf))
  const signedIn = await handlers.POST(
    new NextRequest(url("callback/credentials"), { method: "POST", headers, body: form })
  )
  const cookie = cookieOf(signedIn)
  const session = await within(headersOf(cookie), new Map(), () => auth())
  const jar = new Map()
  const target = await within(headersOf(), jar, () =>
    signIn("credentials", { username: "bob", password, redirectTo: "/there", redirect: false })
  )
  const wrong = await within(headersOf(), new Map(), () =>
    signIn("credentials", { username: "bob", password: "wrong", redirect: false })
  ).catch((error) => error.type)
  const updated = await within(headersOf(cookie), new Map(), () => unstable_update({ user: { name: "Robert" } }))
  const out = new Map()
  const left = await within(headersOf(cookie), out, () => signOut({ redirectTo: "/bye", redirect: false }))
  return {
    cookie,
    line: {
      version,
      status: signedIn.status,
      name: session?.user?.name,
      target,
      cookies: [...jar.keys()].filter((name) => name.includes("session")).length,
      wrong,
      updated: updated?.user?.name,
      left: left.redirect,
      cleared: [...out.values()].some(({ value }) => value === "")
    }
  }
}

/** Server actions of a configuration that cannot be used lead to the error page. */
const actions = async (version, NextAuth) => {
  setEnvironment({ NODE_ENV: "production" }, "no secret")
  const { signIn, signOut, unstable_update } = NextAuth(mistakes["no secret"]())
  const run = (action) =>
    within(headersOf(), new Map(), action).then(
      (value) => value,
      (error) => error.to ?? String(error)
    )
  return {
    version,
    signIn: await run(() => signIn("credentials", { username: "bob", password })),
    signOut: await run(() => signOut({ redirectTo: "/bye" })),
    updated: await run(() => unstable_update({ user: { name: "x" } }))
  }
}

const print = (kind) => (line) => console.log(JSON.stringify({ kind, ...line }))
const named = (text, who) => Object.assign(new String(text), { who })

for (const version of [19, 21, 25, 29, 31, 32]) {
  const NextAuth = await load(version)
  const { cookie, line } = await journey(version, NextAuth)
  print("journey")(line)
  print("actions")(await actions(version, NextAuth))
  await visit(print("visit"), version, NextAuth, "none", {}, named(cookie, "signed in"))
  await visit(print("visit"), version, NextAuth, "none", {}, undefined)
  const forged = named("__Secure-authjs.session-token=eyJhbGciOiJub25lIn0..x.y.z; authjs.session-token=x", "forged")
  for (const mistake of Object.keys(mistakes))
    for (const environment of [{ NODE_ENV: "production" }, { NODE_ENV: "development" }])
      for (const visitor of [undefined, forged])
        await visit(print("visit"), version, NextAuth, mistake, environment, visitor)
}
