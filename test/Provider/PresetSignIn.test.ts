import { assert, describe, it } from "vitest"
import { createAuth, customFetch } from "../../src/index.ts"
import { GitHub } from "../../src/Provider/GitHub.ts"
import { secret, visitor } from "../Visitor.ts"

const answers: Readonly<Record<string, object>> = {
  "/login/oauth/access_token": { access_token: "token", token_type: "bearer" },
  "/user": { id: 1, login: "ada", name: "Ada", email: null },
  "/user/emails": []
}

describe("createAuth", () => {
  it("signs in with a preset whose profile takes several requests", async () => {
    const fetch = (input: Request | string | URL) =>
      Promise.resolve(Response.json(answers[new URL(input instanceof Request ? input.url : input).pathname]))
    const auth = createAuth({
      secret,
      trustHost: true,
      env: {},
      providers: [GitHub({ clientId: "id", clientSecret: "secret", [customFetch]: fetch })],
      logger: {}
    })
    const browser = visitor(auth.handler)
    const sent = await browser.submit("/auth/signin/github")
    const state = new URL(sent.headers.get("location") ?? "").searchParams.get("state") ?? ""
    await browser.get(`/auth/callback/github?${new URLSearchParams({ code: "code", state }).toString()}`)
    assert.strictEqual((await browser.session())?.user?.["name"], "Ada")
  })
})
