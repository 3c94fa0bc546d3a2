import { assert, describe, it } from "@effect/vitest"
import { NetSuite } from "../../src/Provider/NetSuite.ts"
import type { NetSuiteOptions } from "../../src/Provider/NetSuite.ts"
import { clientId, clientSecret } from "../oauth/ScriptedProvider.ts"
import { failureOf, redirectOf } from "./Read.ts"

const script = "https://1234567.restlets.api.netsuite.com/app/site/hosting/restlet.nl?script=1&deploy=1"
const given = { clientId, clientSecret, accountID: "1234567", userinfo: script }

describe("NetSuite", () => {
  it("is refused without an account, and with one that could not stand in the name of a host", () => {
    for (const accountID of [undefined, "", "1234567.example.com/", "1 2"]) {
      assert.strictEqual(failureOf(NetSuite({ ...given, accountID }))?.[0], "InvalidEndpoints", String(accountID))
    }
  })

  it("is refused without a script that says who the person is", () => {
    assert.strictEqual(failureOf(NetSuite({ ...given, userinfo: undefined }))?.[0], "InvalidEndpoints")
  })

  it("takes the address of the script in every form that an endpoint has", () => {
    for (const userinfo of [script, new URL(script), { url: script }, { url: new URL(script) }]) {
      const { userinfo: endpoint } = redirectOf(NetSuite({ ...given, userinfo }))
      assert.strictEqual(endpoint.url, script)
      assert.isFunction(endpoint.request)
    }
  })

  it("leaves the request to an application that has one of its own", () => {
    const request = () => ({ id: 1 })
    const { userinfo } = redirectOf(NetSuite({ ...given, userinfo: { url: script, request } }))
    assert.strictEqual(userinfo.request, request)
  })

  it("asks for the scope and the prompt that the application names", () => {
    const parametersOf = (options: NetSuiteOptions) =>
      Object.fromEntries(redirectOf(NetSuite({ ...given, ...options })).authorizationParameters)
    assert.deepStrictEqual(parametersOf({}), { scope: "restlets rest_webservices" })
    assert.deepStrictEqual(parametersOf({ scope: "restlets", prompt: "login" }), { scope: "restlets", prompt: "login" })
  })
})
