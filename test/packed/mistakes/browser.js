/** A browser of a few lines: it keeps cookies by name, asks for pages, and follows redirects when it is told so. */
export const browser = (site, more = {}) => {
  const jar = new Map()
  const headers = { accept: "text/html", "sec-fetch-site": "same-origin", origin: site, ...more }
  const ask = async (path, init = {}) => {
    const url = new URL(path, site)
    const isOwn = url.origin === site
    const cookie = [...jar].map((pair) => pair.join("=")).join("; ")
    const response = await fetch(url, {
      redirect: "manual",
      ...init,
      headers: { ...headers, ...(isOwn && cookie !== "" ? { cookie } : {}), ...init.headers }
    })
    if (isOwn)
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
        if (value === "") jar.delete(name)
        else jar.set(name, value)
      }
    return response
  }
  /** Follows redirects to the page at their end. */
  const follow = async (response, steps = 8) => {
    const location = response.headers.get("location")
    if (location === null || steps === 0) return response
    return follow(await ask(new URL(location, response.url || site).href), steps - 1)
  }
  const open = async (path, init) => follow(await ask(path, init))
  const submit = async (path, fields = {}) => {
    const { csrfToken } = await (await ask("/auth/csrf")).json()
    return open(path, { method: "POST", body: new URLSearchParams({ csrfToken, ...fields }) })
  }
  return { ask, open, submit, jar, signIn: (id, fields) => submit(`/auth/signin/${id}`, fields) }
}
