import { assert, describe, it } from "@effect/vitest"
import { randomBytes, randomUUID } from "node:crypto"
import { secretProblem } from "../../src/config/SecretStrength.ts"

describe("secrets of generators", () => {
  it.each<readonly [string, () => string]>([
    ["openssl rand -hex 16", () => randomBytes(16).toString("hex")],
    ["openssl rand -hex 32", () => randomBytes(32).toString("hex")],
    ["openssl rand -base64 16", () => randomBytes(16).toString("base64")],
    ["openssl rand -base64 32", () => randomBytes(32).toString("base64")],
    ["openssl rand -base64 33, npx auth secret", () => randomBytes(33).toString("base64")],
    ["16 bytes in base64url", () => randomBytes(16).toString("base64url")],
    ["a UUID", () => randomUUID()]
  ])("P241 accepts 20000 of 20000: %s", (_, print) => {
    const refused = Array.from({ length: 20_000 }, print).filter((secret) => secretProblem(secret) !== undefined)
    assert.deepStrictEqual(refused, [])
  })
})
