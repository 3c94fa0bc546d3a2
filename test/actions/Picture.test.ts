import { assert, describe, it } from "@effect/vitest"
import { facade, listener, options, password, visitor } from "../Visitor.ts"

const picture = (length: number): string => {
  const head = "data:image/png;base64,"
  return head + "A".repeat(length - head.length)
}

const signedInWith = async (image: string) => {
  const { logger, told } = listener()
  const providers = [password(() => ({ id: "1", name: "Ada", email: "ada@example.com", image }))]
  const person = visitor(facade(options({ providers, logger })))
  await person.signIn()
  const session: { readonly user?: { readonly name?: unknown; readonly image?: unknown } } | null =
    await person.session()
  return { user: session?.user, errors: told.errors }
}

describe("an embedded picture", () => {
  it("is in the session when there is room for it", async () => {
    for (const image of [picture(4096), picture(8192), "https://ada.example/picture.png"]) {
      const { errors, user } = await signedInWith(image)
      assert.strictEqual(user?.image, image)
      assert.isEmpty(errors)
    }
  })

  it("is left out when it is larger, and the person is signed in", async () => {
    for (const image of [picture(8193), picture(65_536)]) {
      const { errors, user } = await signedInWith(image)
      assert.strictEqual(user?.name, "Ada")
      assert.isNull(user?.image ?? null)
      assert.isEmpty(errors)
    }
  })
})
