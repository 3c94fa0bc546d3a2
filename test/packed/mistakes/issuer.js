/** An OpenID provider of a few lines, with one mistake at a time: `fault` says which. */
import { createServer } from "node:http"
import { exportJWK, generateKeyPair, SignJWT } from "jose"

const { privateKey, publicKey } = await generateKeyPair("RS256")
const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "1", alg: "RS256", use: "sig" }] }
const codes = new Map()

const json = (response, body, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))

const idToken = (issuer, { nonce, clientId }, fault) => {
  const now = Math.floor(Date.now() / 1000) + ({ "clock behind": -7200, "clock ahead": 7200 }[fault] ?? 0)
  return new SignJWT({ nonce, name: "Ann", email: "ann@example.com" })
    .setProtectedHeader({ alg: "RS256", kid: "1" })
    .setIssuer(issuer)
    .setSubject("ann")
    .setAudience(fault === "foreign audience" ? "another-client" : clientId)
    .setIssuedAt(now)
    .setExpirationTime(now + 300)
    .sign(privateKey)
}

/** Starts one; `issuer` is how it names itself, where that differs from its address. */
export const startIssuer = async (fault, named = (origin) => origin) => {
  let origin
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost")
    const issuer = named(origin)
    if (fault === "discovery 404") return json(response, {}, 404)
    if (fault === "discovery HTML")
      return response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>")
    if (pathname.endsWith("/.well-known/openid-configuration"))
      return json(response, {
        issuer,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/keys`,
        response_types_supported: ["code"],
        id_token_signing_alg_values_supported: ["RS256"],
        subject_types_supported: ["public"]
      })
    if (pathname === "/keys") return json(response, keys)
    if (pathname === "/authorize") {
      const back = new URL(searchParams.get("redirect_uri"))
      back.searchParams.set("state", searchParams.get("state"))
      if (fault === "cancelled") back.searchParams.set("error", "access_denied")
      else if (fault === "redirect URI not registered")
        return response.writeHead(400).end("redirect_uri is not registered")
      else {
        const code = crypto.randomUUID()
        codes.set(code, { nonce: searchParams.get("nonce") ?? undefined, clientId: searchParams.get("client_id") })
        back.searchParams.set("code", code)
      }
      return response.writeHead(302, { location: back.href }).end()
    }
    if (pathname === "/token") {
      let body = ""
      for await (const chunk of request) body += chunk
      if (fault === "token endpoint 500") return response.writeHead(500).end("oops")
      if (fault === "wrong client secret")
        return json(response, { error: "invalid_client", error_description: "Wrong client secret" }, 401)
      if (fault === "redirect URI differs")
        return json(response, { error: "invalid_grant", error_description: "redirect_uri mismatch" }, 400)
      const about = codes.get(new URLSearchParams(body).get("code"))
      return json(response, { access_token: "at", token_type: "Bearer", id_token: await idToken(issuer, about, fault) })
    }
    return json(response, {}, 404)
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  origin = `http://127.0.0.1:${server.address().port}`
  return { origin, close: () => server.close().closeAllConnections() }
}
