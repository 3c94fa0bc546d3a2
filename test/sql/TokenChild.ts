/**
 * A process that asks for the token of one user a hundred times at once, and says which tokens it was answered; for
 * `ProviderTokens.test.ts`. It says `ready` first, and begins when its standard input ends.
 *
 *     node TokenChild.ts <sqlite|postgres> <file or URL> <token endpoint> <id of the user> [cookies of a browser with tokens]
 */
import { once } from "node:events"
import { createAuth } from "../../src/index.ts"
import { openPostgres, openSqlite } from "./OpenStore.ts"
import { forFunctions } from "../ForFunctions.ts"
import { rotating } from "../RotatingProvider.ts"

const [, , engine = "", place = "", token = ""] = process.argv
const secret = "a secret of the test of many processes: 4fE9"
const encryptTokens = { secret }
const { adapter, close } =
  engine === "postgres"
    ? await openPostgres({ url: place, maxConnections: 4, sweep: false, encryptTokens })
    : await openSqlite({ filename: place, sweep: false, encryptTokens })
const [userId = "", cookie] = process.argv.slice(5)
const auth = createAuth(
  forFunctions({
    ...(cookie === undefined ? {} : { session: { strategy: "jwt" }, providerTokens: "cookie" }),
    secret,
    trustHost: true,
    basePath: "/auth",
    adapter,
    providers: [rotating({ token })],
    env: {}
  })
)

const ask = () =>
  cookie === undefined
    ? auth.providerTokens.get({ userId, provider: "acme" })
    : auth.providerTokens.getCurrent(new Request("https://app.example/page", { headers: { cookie } }), new Headers(), {
        provider: "acme"
      })

process.stdout.write("ready\n")
await once(process.stdin.resume(), "end")
const answers = await Promise.allSettled(Array.from({ length: 100 }, ask))
process.stdout.write(
  JSON.stringify(answers.map((one) => (one.status === "fulfilled" ? one.value.accessToken : String(one.reason))))
)
await close()
