/** An ordinary server that requires a recent or a strong sign-in: it installs the package alone, without effect. */
import { createAuth } from "effect-doorman"

const auth = createAuth({
  secret: "a-secret-of-a-newcomer-0123456789-abcdefghijk",
  origin: "http://localhost:3000",
  providers: []
})
const request = (cookie) => new Request("http://localhost:3000/pay", { headers: { cookie } })
const failure = (promise) =>
  promise.then(
    () => "none",
    ({ _tag, challenge }) => [_tag, challenge].filter((one) => one !== undefined).join(" ")
  )
const headers = await auth.signIn(request(""), { id: "1", name: "Ann" }, { amr: ["pwd"] })
const cookie = headers
  .getSetCookie()
  .map((line) => line.split(";", 1)[0])
  .join("; ")
const session = await auth.requireAssurance(request(cookie), { maxAge: 300, amr: ["pwd"] })
console.log(session.user.name)
console.log(await failure(auth.requireAssurance(request(""), { maxAge: 300 })))
console.log(await failure(auth.requireAssurance(request(cookie), { acr: ["gold"] })))
