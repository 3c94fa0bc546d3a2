import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { Nextcloud } from "../../src/Provider/Nextcloud.ts"
import { clientId, clientSecret } from "../oauth/ScriptedProvider.ts"
import { fixture } from "./fixtures/Nextcloud.ts"
import { answersOf, visit } from "./Platform.ts"
import { failureOf } from "./Read.ts"

describe("Nextcloud", () => {
  it("is refused without the address of the installation", () => {
    assert.strictEqual(failureOf(Nextcloud({ clientId, clientSecret }))?.[0], "InvalidEndpoints")
  })

  it.gen("asks for no user when the token response does not say whose token it is", function* () {
    for (const user_id of [undefined, null, "", 1, ["ada"]]) {
      const answers = answersOf(fixture)
      const { sent, signedIn } = yield* visit(fixture, { ...answers, token: { ...answers.token, user_id } })
      assert.isTrue(Result.isFailure(signedIn))
      assert.lengthOf(sent, 1)
    }
  })

  it.gen("keeps the name of a user within the path", function* () {
    const answers = answersOf(fixture)
    const { sent } = yield* visit(fixture, { ...answers, token: { ...answers.token, user_id: "../groups?x=1#y" } })
    assert.strictEqual(sent[1]?.url, "https://cloud.example.com/ocs/v1.php/cloud/users/..%2Fgroups%3Fx%3D1%23y")
  })

  it.gen("finds no user in a refusal, which Nextcloud answers with status 200 too", function* () {
    const refusal = { ocs: { meta: { status: "failure", statuscode: 997, message: "" }, data: [] } }
    const { signedIn } = yield* visit(fixture, { ...answersOf(fixture), calls: [refusal] })
    assert.isTrue(Result.isFailure(signedIn))
  })
})
