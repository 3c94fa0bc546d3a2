/** A visitor of a site in the same process: a cookie jar in front of the handler, and another for each address on the network. */

const jarOf = () => {
  const cookies = new Map()
  return {
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    keep: ({ headers }) => {
      for (const line of headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
        if (value === "" || /max-age=0(?:;|$)/i.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
    }
  }
}

/** Fails with what was expected and what came. */
export const expect = (what, came, expected) => {
  if (JSON.stringify(came) !== JSON.stringify(expected)) {
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, came ${JSON.stringify(came)}`)
  }
}

/** The place that an answer leads to; fails for a page that shows an error. */
const placeOf = async (response, origin) => {
  const location = response.headers.get("location")
  if (location === null) throw new Error(`no redirect: ${response.status} ${(await response.text()).slice(0, 200)}`)
  const place = new URL(location, origin)
  if (place.origin === origin && place.searchParams.has("error")) throw new Error(`it leads to ${place.href}`)
  return place
}

export const createVisitor = (auth, origin) => {
  const jar = jarOf()
  const request = (path, init = {}) =>
    new Request(new URL(path, origin), {
      redirect: "manual",
      ...init,
      headers: { origin, ...init.headers, cookie: jar.header() }
    })
  const send = async (path, init) => {
    const response = await auth.handler(request(path, init))
    jar.keep(response)
    return response
  }
  const json = async (path) => (await send(path)).json()
  const submit = async (path, fields = {}) => {
    const { csrfToken } = await json("/auth/csrf")
    return send(path, { method: "POST", body: new URLSearchParams({ csrfToken, ...fields }) })
  }
  /** Follows the redirects of a provider that asks nothing, and comes back. */
  const throughProvider = async (start) => {
    const there = jarOf()
    let place = start
    for (let step = 0; step < 12; step++) {
      const response = await fetch(place, { redirect: "manual", headers: { cookie: there.header() } })
      there.keep(response)
      place = await placeOf(response, place.href)
      if (place.origin === origin) return place
    }
    throw new Error(`${place.href} leads nowhere`)
  }
  return {
    request,
    send,
    json,
    submit,
    session: () => json("/auth/session"),
    signOut: async () => placeOf(await submit("/auth/signout"), origin),
    signInWith: async (provider, fields) => placeOf(await submit(`/auth/callback/${provider}`, fields), origin),
    askForLink: async (provider, email) => placeOf(await submit(`/auth/signin/${provider}`, { email }), origin),
    followLink: async (link) => {
      const page = await (await send(link)).text()
      const fields = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
      const body = new URLSearchParams(fields.map(([, name, value]) => [name, value.replaceAll("&amp;", "&")]))
      return placeOf(await send(new URL(link).pathname, { method: "POST", body }), origin)
    },
    /** `authorize` is the user's way through the provider; by default the network. */
    signIn: async (provider, authorize = throughProvider, fields = {}) => {
      const start = await placeOf(await submit(`/auth/signin/${provider}`, fields), origin)
      return placeOf(await send(await authorize(start)), origin)
    }
  }
}
