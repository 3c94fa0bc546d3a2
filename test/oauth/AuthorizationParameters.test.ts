import { assert, describe, it } from "@effect/vitest"
import { raw, skipCSRFCheck } from "../../src/index.ts"
import { besides, fromBrowser, fromServer } from "../../src/oauth/AuthorizationParameters.ts"
import { acme, facade, listener, options, site, type Told, visitor } from "../Visitor.ts"
import { against, oauth, scripted, start } from "./ScriptedProvider.ts"

const query = (parameters: Readonly<Record<string, string>>) => new URLSearchParams(parameters)

/** Log lines about dropped parameters. */
const refusals = ({ messages }: Told): ReadonlyArray<string> =>
  messages.filter((message) => message.startsWith("The authorization request"))

/** The parameters of a sign-in at the provider, sent by a browser or by the server itself. */
const asked = async (
  parameters: string,
  from: "browser" | "server",
  more: object = {}
): Promise<{ readonly parameters: URLSearchParams; readonly messages: ReadonlyArray<string> }> => {
  const { logger, told } = listener()
  const config = options({ providers: [acme(more)], logger })
  if (from === "browser") {
    const response = await visitor(facade(config)).submit(`/auth/signin/acme?${parameters}`)
    return { parameters: new URL(response.headers.get("location") ?? "").searchParams, messages: refusals(told) }
  }
  const request = new Request(`${site}/auth/signin/acme?${parameters}`, { method: "POST" })
  const answer = (await facade({ ...config, raw, skipCSRFCheck })(request)) as unknown as { readonly redirect: string }
  return { parameters: new URL(answer.redirect).searchParams, messages: refusals(told) }
}

const protocol = {
  client_id: "evil",
  redirect_uri: "https://evil.example",
  response_type: "token",
  response_mode: "fragment",
  state: "mine",
  nonce: "mine",
  code_challenge: "mine",
  code_challenge_method: "plain"
}

const ours = ["client_id", "code_challenge", "code_challenge_method", "redirect_uri", "response_type", "state"]

describe("parameters of a browser", () => {
  const passing = [
    "organization",
    "connection",
    "kc_idp_hint",
    "access_type",
    "audience",
    "invitation",
    "login_hint",
    "prompt",
    "screen_hint",
    "domain_hint",
    "hd",
    "ui_locales",
    "acr_values",
    "max_age",
    "display",
    "id_token_hint",
    "claims_locales",
    "identity_provider",
    "idp",
    "provider",
    "ext-tenant.id"
  ]
  for (const name of passing) {
    it(`${name} passes`, async () => {
      const { messages, parameters } = await asked(`${name}=x%20y%26z`, "browser")
      assert.deepStrictEqual(parameters.getAll(name), ["x y&z"])
      assert.deepStrictEqual(messages, [])
    })
  }

  const refused = [
    ...Object.keys(protocol),
    "code_challenge[]",
    "code_verifier",
    "request",
    "request_uri",
    "registration",
    "client_metadata",
    "client_secret",
    "client_assertion",
    "client_assertion_type",
    "client_key",
    "appid",
    "dpop_jkt",
    "authorization_details",
    "claims",
    "resource",
    "permissions",
    "config_id",
    "scope",
    "user_scope",
    "optional_scope",
    "include_granted_scopes",
    "redirect_url",
    "return_to",
    "post_login_redirect_uri",
    "oauth_callback",
    "component_appid",
    "consumer_key",
    "signed_request",
    "grant_id",
    "kc_action",
    "perms",
    "csrfToken",
    "__proto__",
    "constructor"
  ]
  const spellings = [
    "Redirect_Uri",
    "REDIRECT_URI",
    "redirectUri",
    "redirect.uri",
    "redirect-uri",
    "redirect uri",
    "redirect_uri[]",
    "redirect[uri",
    "redirect_uri\u0000",
    "re\u0301direct_uri",
    "redirect_ur\u0131",
    "Scope",
    "scope[]",
    "sco.pe",
    "s\u0441ope",
    "Request",
    "x".repeat(65)
  ]
  for (const name of [...refused.filter((one) => one !== "constructor"), ...spellings]) {
    it(`P083, P164 ${JSON.stringify(name)} does not pass, and the log names it`, async () => {
      const { messages, parameters } = await asked(new URLSearchParams([[name, "mine"]]).toString(), "browser")
      for (const [one, value] of parameters) assert.notStrictEqual(value, "mine", one)
      assert.sameMembers([...new Set(parameters.keys())], [...ours, "scope"])
      assert.strictEqual(messages.length, 1)
      assert.match(messages[0] ?? "", /^The authorization request of acme goes without [\w.?-]+: the server decides/)
    })
  }

  it("P083 values and names have bounds", () => {
    const long = fromBrowser(query({ login_hint: "x".repeat(513), prompt: "log\r\nin", hd: "x".repeat(512) }), false)
    assert.deepStrictEqual(long, { parameters: [["hd", "x".repeat(512)]], refused: ["login_hint", "prompt"] })
    const many = fromBrowser(query(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`p${at}`, "x"]))), false)
    assert.strictEqual(many.parameters.length, 20)
    assert.strictEqual(many.refused.length, 20)
    assert.deepStrictEqual(fromBrowser(new URLSearchParams("a=1&a=2"), false).parameters, [["a", "2"]])
  })

  it("scope passes where the provider allows it, and replaces the configured one", async () => {
    const authorization = "https://acme.example/authorize?scope=read"
    const refusal = await asked("scope=read+write", "browser", { authorization })
    assert.deepStrictEqual(refusal.parameters.getAll("scope"), ["read"])
    const allowed = await asked("scope=read+write", "browser", { authorization, allowScopeFromBrowser: true })
    assert.deepStrictEqual(allowed.parameters.getAll("scope"), ["read write"])
    assert.deepStrictEqual(allowed.messages, [])
  })

  it("the configuration takes precedence", async () => {
    const authorization = { url: "https://acme.example/authorize", params: { prompt: "consent", audience: "api" } }
    const { parameters } = await asked("prompt=none&Audience=other&login_hint=ada", "browser", { authorization })
    assert.deepStrictEqual(parameters.getAll("prompt"), ["consent"])
    assert.deepStrictEqual(parameters.getAll("audience"), ["api"])
    assert.isFalse(parameters.has("Audience"))
    assert.deepStrictEqual(parameters.getAll("login_hint"), ["ada"])
    assert.deepStrictEqual(
      besides(
        [["a.b", "1"]],
        [
          ["a_b", "2"],
          ["c", "3"]
        ]
      ),
      [["c", "3"]]
    )
  })

  it("callbackUrl is the library's and is not passed on", async () => {
    const { messages, parameters } = await asked("callbackUrl=/x", "browser")
    assert.isFalse(parameters.has("callbackUrl"))
    assert.deepStrictEqual(messages, [])
  })
})

describe("parameters of the server's own call", () => {
  it("all pass but those of the protocol, and they take precedence over the configuration", async () => {
    const given = {
      scope: "read write",
      user_scope: "all",
      request: "jwt",
      request_uri: "urn:x",
      claims: "{}",
      resource: "https://api.example",
      authorization_details: "[]",
      prompt: "none",
      organization: "org",
      "odd name[]": "x".repeat(3000)
    }
    const authorization = { url: "https://acme.example/authorize", params: { prompt: "consent", audience: "api" } }
    const { parameters } = await asked(query({ ...given, ...protocol }).toString(), "server", { authorization })
    for (const [name, value] of Object.entries(given)) assert.deepStrictEqual(parameters.getAll(name), [value], name)
    for (const [name, value] of Object.entries(protocol)) assert.notInclude(parameters.getAll(name), value, name)
    assert.deepStrictEqual(parameters.getAll("audience"), ["api"])
    assert.deepStrictEqual(fromServer(query(protocol)), { parameters: [], refused: Object.keys(protocol) })
  })

  it("only the marker makes a call the server's: not a header, and not the option's name", async () => {
    const { logger } = listener()
    const request = new Request(`${site}/auth/signin/acme?scope=all`, {
      method: "POST",
      headers: { "x-auth-raw": "1", raw: "true" }
    })
    for (const raw of [true, "raw", "return-type-raw", undefined]) {
      const config = { ...options({ providers: [acme()], logger }), raw, skipCSRFCheck }
      const response = await facade(config as unknown as Parameters<typeof facade>[0])(request.clone())
      assert.notInclude(new URL(response.headers.get("location") ?? "").searchParams.getAll("scope"), "all")
    }
  })

  it.gen("the protocol's own stay, for any parameters of a caller", function* () {
    const { url } = yield* against(scripted(), start(oauth(), Object.entries(protocol)))
    for (const [name, value] of Object.entries(protocol)) {
      assert.notInclude(new URL(url).searchParams.getAll(name), value, name)
    }
  })
})
