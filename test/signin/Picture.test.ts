import { assert, describe, it } from "@effect/vitest"
import { customFetch } from "../../src/index.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"
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
  return { user: session?.user, errors: told.errors, advice: told.advice }
}

describe("a picture", () => {
  it("is in the session when there is room for it, for any value", async () => {
    const odd = ["http://ada.example/a.png", "/ada.png", "ada", "javascript:alert(1)", "blob:x", "\u{1f9d1}\r\n", ""]
    for (const image of [picture(4096), picture(8192), "https://ada.example/picture.png", ...odd]) {
      const { errors, user } = await signedInWith(image)
      assert.strictEqual(user?.image, image)
      // A session near the limits of servers is told as one.
      if (image.length < 8192) assert.isEmpty(errors)
    }
  })

  it("is left out when it is larger, with a warning, and the person is signed in", async () => {
    for (const image of [picture(8193), picture(65_536), `https://ada.example/${"x".repeat(9000)}`]) {
      const { advice, errors, user } = await signedInWith(image)
      assert.match(advice.join(), new RegExp(`picture of a user of credentials .* ${image.length} characters.* 8192`))
      assert.strictEqual(user?.name, "Ada")
      assert.isNull(user?.image ?? null)
      assert.isEmpty(errors)
    }
  })
})

describe("the picture of an own profile()", () => {
  const pictures = [
    "javascript:alert(1)",
    "data:text/html,x",
    "/ada.png",
    "http://ada.example/a.png",
    picture(8192),
    ""
  ]
  for (const image of pictures) {
    it(`${JSON.stringify(image.slice(0, 30))} reaches createUser, token and session unchanged`, async () => {
      const provider = memoryProvider()
      let stored: object | null = null
      const created: Array<unknown> = []
      const tokens: Array<unknown> = []
      const adapter = {
        createUser: (user: object) => {
          created.push("image" in user ? user.image : undefined)
          stored = { ...user, id: "user-1" }
          return Promise.resolve(stored)
        },
        getUser: () => Promise.resolve(stored),
        getUserByEmail: () => Promise.resolve(null),
        getUserByAccount: () => Promise.resolve(null),
        updateUser: (user: object) => Promise.resolve(user),
        linkAccount: (account: object) => Promise.resolve(account)
      }
      const profile = (claims: { readonly sub: string }) => ({ id: claims.sub, name: "Ada", image })
      const person = visitor(
        facade(
          options({
            providers: [idp({ profile, [customFetch]: provider.fetch })] as never,
            adapter: adapter as never,
            session: { strategy: "jwt" },
            callbacks: {
              jwt: ({ token }) => {
                tokens.push(token.picture)
                return token
              }
            }
          })
        )
      )
      const away = await person.submit("/auth/signin/idp")
      const back = provider.agree(away.headers.get("location") ?? "")
      await person.get(back.pathname + back.search)
      assert.deepStrictEqual(created, [image])
      assert.strictEqual(tokens[0], image)
      assert.strictEqual((await person.session())?.user?.["image"], image)
      const page = await (await person.get("/auth/signout")).text()
      assert.notInclude(page, "javascript:")
    })
  }
})
