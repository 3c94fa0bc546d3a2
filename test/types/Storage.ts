/**
 * Storage that lacks what a configuration needs, held by the compiler: this file is compiled by `npm run typecheck` and never
 * run.
 */
// Each rejected program has an expected error, which the compiler checks.
// @effect-diagnostics missingEffectContext:off
import * as Effect from "effect/Effect"
import * as Adapter from "../../src/Adapter.ts"
import { Doorman } from "../../src/Doorman.ts"
import { Credentials } from "../../src/Provider/Credentials.ts"
import { Email } from "../../src/Provider/Email.ts"
import { GitHub } from "../../src/Provider/GitHub.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"

const { createSession, createVerificationToken, deleteSession, ...others } = Adapter.makeMemory()
const { getSessionAndUser, updateSession, useVerificationToken } = others
const { createUser, getUser, getUserByAccount, getUserByEmail, linkAccount, updateUser } = others
const users = { createUser, getUser, getUserByAccount, getUserByEmail, linkAccount, updateUser }
const sessions = { createSession, deleteSession, getSessionAndUser, updateSession }
const links = { createVerificationToken, useVerificationToken }
const password = Credentials({ authorize: () => null })
const jwt = { strategy: "jwt" } as const

// The required members exist.
Doorman.layer({ providers: [GitHub], adapter: Adapter.make({ ...users, ...sessions }) })
Doorman.layer({ providers: [GitHub], adapter: Adapter.make(users), session: { strategy: "jwt" } })
Doorman.layer({ providers: [Email()], adapter: Adapter.make({ ...users, ...links }), session: jwt })
Doorman.layer({ providers: [password], adapter: Adapter.make({}), session: jwt })
Doorman.layerConfig({ providers: [GitHub, Email, Passkey], adapter: Adapter.makeMemory() })
Doorman.layer({ providers: [GitHub], adapter: Adapter.Adapter })
Doorman.layer({ providers: [GitHub], adapter: undefined })

// @ts-expect-error links of emails
Doorman.layer({ providers: [Email()], adapter: Adapter.make(users), session: jwt })
// @ts-expect-error the same for a factory
Doorman.layer({ providers: [Email], adapter: Adapter.make(users), session: jwt })
// @ts-expect-error the same with settings from Config
Doorman.layerConfig({ providers: [Email()], adapter: Adapter.make(users), session: { strategy: "jwt" } })
// @ts-expect-error passkeys
Doorman.layer({ providers: [Passkey], adapter: Adapter.make({ ...users, ...sessions }) })
// @ts-expect-error sessions in a database
Doorman.layer({ providers: [GitHub], adapter: Adapter.make(users), session: { strategy: "database" } })
// @ts-expect-error with an adapter they are there unless the options say otherwise
Doorman.layer({ providers: [GitHub], adapter: Adapter.make(users) })
// @ts-expect-error users of sessions in a database
Doorman.layer({ providers: [password], adapter: Adapter.make(sessions), session: { strategy: "database" } })
// @ts-expect-error accounts
Doorman.layer({ providers: [GitHub], adapter: Adapter.make({ getUser }), session: jwt })
// @ts-expect-error an Effect of such a store
Doorman.layer({ providers: [GitHub], adapter: Effect.succeed(Adapter.make(users)) })
// @ts-expect-error an object of promises
Doorman.layer({ providers: [GitHub], adapter: { getUser: () => Promise.resolve(null) }, session: jwt })
