import { assert, beforeAll, describe, it, vi } from "@effect/vitest"
import * as Result from "effect/Result"
import * as compatHere from "../../src/compat/errors.ts"
import * as errorsHere from "../../src/Errors.ts"
import * as markersHere from "../../src/internal/Markers.ts"
import { refusalOf } from "../../src/Provider/internal/ClientKey.ts"
import { type Definition, define } from "../../src/Provider/internal/Definition.ts"
import { descriptionOf } from "../../src/Provider/internal/ProfileMapping.ts"
import { decodeStatement } from "../../src/Provider/internal/ProfileDecoder.ts"

/** The library once more in this process, as another build of it, or another version in a tree of packages, is. */
const anotherCopy = async () => {
  vi.resetModules()
  return {
    markers: await import("../../src/internal/Markers.ts"),
    errors: await import("../../src/Errors.ts"),
    compat: await import("../../src/compat/errors.ts"),
    github: (await import("../../src/Provider/GitHub.ts")).GitHub,
    tiktok: (await import("../../src/Provider/TikTok.ts")).TikTok,
    entra: (await import("../../src/Provider/MicrosoftEntraId.ts")).MicrosoftEntraId
  }
}

let there: Awaited<ReturnType<typeof anotherCopy>>
beforeAll(async () => {
  there = await anotherCopy()
})

const client = { clientId: "id", clientSecret: "secret" }

const defined = (provider: unknown): Definition => {
  const found = define(provider)
  assert.isTrue(Result.isSuccess(found), "a provider")
  return Result.getOrThrow(found)
}

/** The profile function of a provider of the other copy. */
const profileOf = (provider: unknown): object => {
  const { profile } = defined(provider).preset
  assert.isFunction(profile)
  return Object(profile) as object
}

describe("two copies of the library in one process", () => {
  it("are two copies", () => {
    assert.notStrictEqual(there.errors.InvalidConfiguration, errorsHere.InvalidConfiguration)
    assert.notStrictEqual(there.compat.AuthError, compatHere.AuthError)
  })

  it("have the same markers", () => {
    const [here, elsewhere] = [Object.entries(markersHere), Object.entries(there.markers)].map((members) =>
      members.filter(([, value]) => typeof value === "symbol")
    )
    assert.lengthOf(here ?? [], 9)
    assert.deepStrictEqual(elsewhere, here)
  })

  it("a preset keeps what it says about addresses", () => {
    const description = descriptionOf(profileOf(there.github(client)))
    assert(description !== undefined)
    assert.strictEqual(description.vouches, "stated")
    const profile = { id: "1", login: "ada", email: "ada@example.com" }
    assert.isTrue(decodeStatement(description, { ...profile, email_verified: true }))
    assert.isFalse(decodeStatement(description, { ...profile, email_verified: false }))
    assert.isUndefined(decodeStatement(description, profile))
  })

  it("a preset keeps its words for refusals, its adaptation and its logo", () => {
    const read = refusalOf(profileOf(there.tiktok(client)))
    assert.instanceOf(read?.({ error: { code: "scope_not_authorized", message: "no", log_id: "1" } }), Error)
    assert.strictEqual(defined(there.tiktok(client)).platform, "client-key")
    assert.strictEqual(defined(there.entra(client)).platform, "microsoft-entra-id")
    assert.isString(defined(there.github(client)).style?.outline)
  })

  it("failures are known by their tag, and instances of the classes of Auth.js in both", () => {
    const pairs = [
      [there, { errors: errorsHere, compat: compatHere }],
      [{ errors: errorsHere, compat: compatHere }, there]
    ] as const
    for (const [thrower, reader] of pairs) {
      const failure = new thrower.errors.AccessDenied({ detail: "no" })
      assert.isTrue(reader.errors.isAuthError(failure))
      assert.strictEqual(reader.errors.recognise(failure), failure)
      assert.instanceOf(failure, reader.compat.AccessDenied)
      assert.notInstanceOf(failure, reader.compat.CredentialsSignin)
      const thrown = new thrower.compat.CredentialsSignin()
      assert.instanceOf(thrown, reader.compat.CredentialsSignin)
      assert.instanceOf(thrown, reader.compat.AuthError)
      assert.strictEqual(reader.errors.recognise(thrown)?._tag, "CredentialsSignin")
    }
  })
})
