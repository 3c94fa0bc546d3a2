/**
 * The options of providers in both faces, held by the compiler: this file is compiled by `npm run typecheck` and never run.
 */
// Only the compiler sees the rejected programs.
// @effect-diagnostics missingEffectContext:off
import PeerCredentials from "@auth/core/providers/credentials"
import PeerGitHub from "@auth/core/providers/github"
import PeerNodemailer from "@auth/core/providers/nodemailer"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { HttpClient } from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Adapter from "../../src/Adapter.ts"
import { Doorman } from "../../src/Doorman.ts"
import { Auth } from "../../src/Auth.ts"
import type { OAuthUserConfig as PlainUserConfig } from "../../src/compat/providers.ts"
import type { OAuthUserConfig } from "../../src/Provider/internal/ProviderOptions.ts"
import { Bungie } from "../../src/Provider/Bungie.ts"
import { Credentials } from "../../src/Provider/Credentials.ts"
import { Email } from "../../src/Provider/Email.ts"
import { GitHub, type GitHubProfile } from "../../src/Provider/GitHub.ts"
import { Keycloak } from "../../src/Provider/Keycloak.ts"
import { Nodemailer } from "../../src/Provider/Nodemailer.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import * as Preset from "../../src/Provider/Preset.ts"
import { Resend } from "../../src/Provider/Resend.ts"

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles when the layer requires exactly this. */
declare const requires: <Wanted>() => <L extends Layer.Any>(
  layer: L,
  ...found: Same<Layer.Services<L>, Wanted> extends true ? [] : [Layer.Services<L>]
) => void
/** Compiles when both types are the same. */
declare const is: <A, B>(...found: Same<A, B> extends true ? [] : [A, B]) => void
class Journal extends Context.Service<Journal, { readonly write: (line: string) => Effect.Effect<void> }>()(
  "test/Journal"
) {}

const request = new Request("https://app.example")
const clientId = "id"
const adapter = Adapter.makeMemory()
const secret = Redacted.make("")
const inline = { id: "own", name: "Own", type: "oidc", issuer: "https://id.example", clientId } as const
declare const isOpen: boolean
declare const text: string | undefined

// A plain secret is for `Auth`, a redacted one for layers.
void Auth(request, { providers: [GitHub({ clientId, clientSecret: "" }), { ...inline, clientSecret: "" }] })
requires<HttpClient>()(
  Doorman.layer({ providers: [GitHub({ clientId, clientSecret: secret }), { ...inline, clientSecret: secret }] })
)
// @ts-expect-error `Auth` has texts
void Auth(request, { providers: [GitHub({ clientId, clientSecret: secret })] })
// @ts-expect-error the same for an object
void Auth(request, { providers: [{ ...inline, clientSecret: secret }] })
// @ts-expect-error and for a value from Config
void Auth(request, { providers: [GitHub({ clientId: Config.String("A") })] })
// @ts-expect-error a plain secret
Doorman.layer({ providers: [GitHub({ clientId, clientSecret: "" })] })
// @ts-expect-error a plain secret that may be missing
Doorman.layer({ providers: [GitHub({ clientId, clientSecret: text })] })
// @ts-expect-error a plain secret in an object
Doorman.layer({ providers: [GitHub, { ...inline, clientSecret: "" }] })
// @ts-expect-error a plain secret in a factory
Doorman.layer({ providers: [() => GitHub({ clientSecret: "" })] })
// @ts-expect-error a plain secret that another one hides
Doorman.layer({ providers: [GitHub({ clientSecret: isOpen ? secret : "" })] })
// @ts-expect-error a plain key that is an option of one preset
Doorman.layer({ providers: [Bungie({ clientId, clientSecret: secret, apiKey: "" })] })
// @ts-expect-error a plain secret
Doorman.layerConfig({ providers: [GitHub({ clientSecret: "" })] })
// @ts-expect-error the name says it is a text
GitHub({ clientId: secret })
// @ts-expect-error a Config is no value: `Layer.unwrap` reads it
Doorman.layer({ providers: [GitHub({ clientId: Config.String("A") })] })
// @ts-expect-error functions stay functions
GitHub({ profile: Config.succeed(() => ({ id: "1" })) })
// @ts-expect-error the id stands in addresses
GitHub({ id: Config.String("A") })
// @ts-expect-error an issuer is a text
Keycloak({ issuer: Config.Number("A") })
// @ts-expect-error the service is not declared
requires<HttpClient>()(Doorman.layer({ providers: [GitHub({ clientSecret: secret, profile: () => Journal })] }))

// Mail: keys, and the password of a server.
requires<HttpClient>()(
  Doorman.layer({
    adapter,
    providers: [
      Resend({ apiKey: secret, secret, maxAge: "10 minutes" }),
      Nodemailer({ server: secret, maxAge: Duration.minutes(5) }),
      Email({ server: { host: "mail.example", auth: { user: "ann", pass: secret } } })
    ]
  })
)
void Auth(request, {
  providers: [
    Resend({ apiKey: "", secret: "", maxAge: 600 }),
    Nodemailer({ server: "smtp://mail.example" }),
    Email({ server: { auth: { pass: "" } } })
  ]
})
// @ts-expect-error `Auth` has texts
void Auth(request, { providers: [Resend({ apiKey: secret })] })
// @ts-expect-error `Auth` has seconds
void Auth(request, { providers: [Resend({ maxAge: "10 minutes" })] })
// @ts-expect-error `Auth` has texts
void Auth(request, { providers: [Nodemailer({ server: secret })] })
// @ts-expect-error a plain key
Doorman.layer({ adapter, providers: [Resend({ apiKey: "" })] })
// @ts-expect-error a plain secret of links
Doorman.layer({ adapter, providers: [Resend({ secret: "" })] })
// @ts-expect-error a plain password
Doorman.layer({ adapter, providers: [Nodemailer({ server: { auth: { user: "ann", pass: "" } } })] })
// @ts-expect-error an address may hold a password
Doorman.layer({ adapter, providers: [Nodemailer({ server: "smtps://ann:password@mail.example" })] })

// Passwords: redacted where the field says so, which a layer asks for.
const form = { credentials: { name: {}, password: { type: "password", redacted: true } } } as const
requires<HttpClient | Journal>()(
  Doorman.layer({
    providers: [
      Credentials({
        ...form,
        authorize: ({ name, password }) => {
          is<typeof name, string | undefined>()
          is<typeof password, Redacted.Redacted | undefined>()
          return Effect.as(Journal, null)
        }
      })
    ]
  })
)
void Auth(request, {
  providers: [
    Credentials({
      credentials: { password: { type: "password" } },
      authorize: ({ password = "" }) => ({ id: password })
    }),
    Credentials({
      ...form,
      authorize: ({ password }) => ({ id: password === undefined ? "" : Redacted.value(password) })
    })
  ]
})
// @ts-expect-error a plain password
Doorman.layer({ providers: [Credentials({ credentials: { password: { type: "password" } }, authorize: () => null })] })
// @ts-expect-error a plain password in an object
Doorman.layer({ providers: [{ id: "own", name: "Own", type: "credentials", ...form, authorize: () => null }] })
// @ts-expect-error a redacted password is no text
Credentials({ ...form, authorize: ({ password }) => ({ id: password?.trim() }) })
// @ts-expect-error no such option
Credentials({ ...form, authorise: () => null })

// Times: a number is seconds or milliseconds in `Auth`, and no time in a layer.
requires<HttpClient>()(
  Doorman.layer({
    adapter,
    providers: [
      Passkey({ authenticationOptions: { timeout: "1 minute" }, registrationOptions: { timeout: { minutes: 2 } } })
    ]
  })
)
void Auth(request, { providers: [Passkey({ authenticationOptions: { timeout: 60_000 } })] })
// @ts-expect-error `Auth` has milliseconds
void Auth(request, { providers: [Passkey({ authenticationOptions: { timeout: "1 minute" } })] })
// @ts-expect-error a number
Doorman.layer({ adapter, providers: [Email({ maxAge: 600 })] })
// @ts-expect-error a number in an object
Doorman.layer({ adapter, providers: [{ id: "own", name: "Own", type: "email", maxAge: 600 }] })
// @ts-expect-error a number for a ceremony
Doorman.layer({ adapter, providers: [Passkey({ registrationOptions: { timeout: 60_000 } })] })

// Names: of options, of members of objects, and inside them.
// @ts-expect-error no such option
GitHub({ clientSecrt: secret })
// @ts-expect-error no such member of an endpoint
GitHub({ token: { reqest: () => ({ tokens: {} }) } })
// @ts-expect-error no such member of the options of this preset
GitHub({ enterprise: { baseURL: "https://github.example" } })
// @ts-expect-error no such option
Resend({ apikey: secret })
// @ts-expect-error no such member
Doorman.layer({ providers: [{ ...inline, clientSecrt: secret }] })
// @ts-expect-error no such member beside others
Doorman.layer({ providers: [GitHub, { ...inline, clientSecret: secret, profil: () => ({ id: "1" }) }] })
// @ts-expect-error no such member of an endpoint
Doorman.layer({ providers: [{ ...inline, userinfo: { requst: () => ({}) } }] })
// @ts-expect-error no such member of an email provider
Doorman.layer({ adapter, providers: [{ id: "own", name: "Own", type: "email", normaliseIdentifier: () => "" }] })
// @ts-expect-error no such member in `Auth`
void Auth(request, { providers: [{ id: "own", name: "Own", type: "oidc", clientSecrt: "" }] })

// Parameters of functions are typed where they stand.
GitHub({ profile: ({ login }) => ({ id: login.toUpperCase() }), account: ({ access_token }) => ({ access_token }) })
Email({
  normalizeIdentifier: (identifier) => identifier.trim(),
  sendVerificationRequest: ({ identifier }) => void identifier.trim()
})
// @ts-expect-error a profile has no such member
GitHub({ profile: ({ nickname }) => ({ id: nickname.toUpperCase() }) })

// Options whose type is declared elsewhere, and what the factories of Auth.js return, are taken as they are.
declare const declared: OAuthUserConfig<GitHubProfile>
declare const plain: PlainUserConfig<GitHubProfile>
void Auth(request, { providers: [GitHub(plain), GitHub(), GitHub] })
requires<HttpClient>()(
  Doorman.layer({
    adapter,
    providers: [
      GitHub(declared),
      GitHub(),
      GitHub,
      PeerGitHub({ clientId, clientSecret: "" }),
      PeerNodemailer({ server: "smtp://mail.example", maxAge: 600 }),
      PeerCredentials({
        credentials: { password: { type: "password" } },
        authorize: ({ password }) => ({ name: String(password) })
      }),
      PeerGitHub
    ]
  })
)

// The function that decides about a verified address takes the members of the shape.
Preset.oauth({
  id: "club",
  name: "Club",
  profile: (S: Preset.Shapes) => S.Struct({ id: Preset.PersonId(S), verified: S.optional(S.NullOr(S.Boolean)) }),
  user: ({ id }) => ({ id: String(id) }),
  // @ts-expect-error the member may be missing
  emailVerified: (profile: { readonly verified: boolean }) => profile.verified
})
