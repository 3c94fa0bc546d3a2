/** Ten lines for every server. */
import { Auth } from "effect-doorman"
import { GitHub } from "effect-doorman/Provider/GitHub"

const config = {
  secret: "a-secret-of-a-newcomer-0123456789-abcdefghijk",
  trustHost: true,
  providers: [GitHub({ clientId: "id", clientSecret: "secret-of-the-client-0123456789" })]
}
const response = await Auth(new Request("https://site.example/auth/signin"), config)
console.log(response.status, (await response.text()).includes("GitHub"))
