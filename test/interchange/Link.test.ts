/**
 * A link that one side mails is followed at the other. What `@auth/core` mailed is good here; what was mailed here is good
 * here alone.
 */
import { assert, describe, it } from "@effect/vitest"
import { otherSecret, secret } from "../Visitor.ts"
import { ada, email, errorOf, type Pair, pair, type Setting, type Side } from "./Pair.ts"

const setting = (more: object = {}, provider: Record<string, unknown> = {}): Setting => ({
  config: (world) => ({ adapter: world.store.adapter(), providers: [email(world, provider)], ...more })
})

let mailboxes = 0
/** A mailbox that no other test has asked for: what is counted for one is counted in the process. */
const mailbox = (): string => `ada-${++mailboxes}@example.com`

const mail = async (at: Pair, side: Side, address: string): Promise<string> => {
  at.turn(side)
  const answer = await at.browser.submit("/auth/signin/email", { email: address, callbackUrl: "/in" })
  assert.include(answer.headers.get("location") ?? "", "/auth/verify-request")
  const link = new URL(at.links.at(-1) ?? "")
  return `${link.pathname}${link.search}`
}

const follow = (at: Pair, side: Side, path: string): Promise<Response> => {
  at.turn(side)
  return at.browser.get(path)
}

const whose = async (at: Pair, side: Side): Promise<unknown> => {
  at.turn(side)
  return (await at.browser.session())?.user?.["email"]
}

const forms: ReadonlyArray<readonly [string, object, Record<string, unknown>]> = [
  ["sessions in the database", {}, {}],
  ["sessions in tokens", { session: { strategy: "jwt" } }, {}],
  ["two secrets", { secret: [otherSecret, secret] }, {}],
  ["a secret of the provider", {}, { secret: "a-secret-of-the-mailbox-0123456789-abcdef" }],
  ["tokens of the provider", {}, { generateVerificationToken: () => "token-of-the-provider-0123456789" }],
  ["another id", {}, { id: "email", name: "Post" }]
]

describe("a link", () => {
  for (const [what, config, provider] of forms) {
    it(`mailed there is good here, once: ${what}`, async () => {
      const at = pair(setting(config, provider))
      const address = mailbox()
      const link = await mail(at, "there", address)
      const answer = await follow(at, "here", link)
      assert.strictEqual(answer.headers.get("location"), "https://app.example/in")
      for (const side of ["there", "here"] as const) assert.strictEqual(await whose(at, side), address)
      assert.deepStrictEqual(at.store.tokens, [])
      at.browser.cookies.clear()
      for (const side of ["there", "here"] as const)
        assert.strictEqual(errorOf(await follow(at, side, link)), "Verification")
    })
  }

  it("mailed there is good here in another browser, for who is there already", async () => {
    const at = pair(setting())
    const address = mailbox()
    at.store.users.push({ ...ada, email: address, emailVerified: null })
    const link = await mail(at, "there", ` ${address.toUpperCase()} `)
    at.browser.cookies.clear()
    await follow(at, "here", link)
    assert.strictEqual(await whose(at, "there"), address)
    assert.lengthOf(at.store.users, 1)
    assert.instanceOf(at.store.users[0]?.["emailVerified"], Date)
  })

  it("mailed there is refused here for another address", async () => {
    const at = pair(setting())
    const link = await mail(at, "there", mailbox())
    const answer = await follow(at, "here", link.replace("email=ada", "email=eve"))
    assert.strictEqual(errorOf(answer), "Verification")
  })

  it("mailed there is refused here with another token, and stays good", async () => {
    const at = pair(setting())
    const address = mailbox()
    const link = await mail(at, "there", address)
    const wrong = link.replace(/token=[0-9a-f]/, (start) => `token=${start.endsWith("0") ? "1" : "0"}`)
    assert.strictEqual(errorOf(await follow(at, "here", wrong)), "Verification")
    await follow(at, "here", link)
    assert.strictEqual(await whose(at, "here"), address)
  })

  it("mailed here is not good there, and stays good here", async () => {
    const at = pair(setting())
    const address = mailbox()
    const link = await mail(at, "here", address)
    assert.strictEqual(errorOf(await follow(at, "there", link)), "Verification")
    await follow(at, "here", link)
    assert.strictEqual(await whose(at, "there"), address)
  })

  it("mailed there before a new secret came is good here", async () => {
    const before = pair(setting())
    const address = mailbox()
    const link = await mail(before, "there", address)
    const after = pair(setting({ secret: [otherSecret, secret] }))
    after.store.tokens.push(...before.store.tokens)
    await follow(after, "here", link)
    assert.strictEqual(await whose(after, "here"), address)
  })
})
