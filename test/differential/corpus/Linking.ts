/**
 * Account linking: every combination of account, session, address and proof, at an OAuth 2.0 provider with sessions in
 * a database, and at an OpenID provider with sessions in tokens.
 */
import type { Person } from "../FakeProvider.ts"
import type { Config } from "../Implementation.ts"
import type { Kit, Scenario } from "../Scenario.ts"
import type { Seed } from "../Store.ts"
import { account, adasToken, everybody, holding, seen, signInAs, stored } from "./People.ts"
import { get, oauth, oidc, scenario } from "./Table.ts"

/** Both kinds of provider and of session, each of them once: they do not depend on each other. */
const kinds = [
  ["oauth", "database"],
  ["oidc", "jwt"]
] as const
const trusts = [false, true]

const owners: ReadonlyArray<readonly [string, Seed]> = [
  ["unknown account", {}],
  ["account of Ada", { accounts: [account("user-1", "person-1")] }],
  ["account of Grace", { accounts: [account("user-2", "person-1")] }]
]

const addresses: ReadonlyArray<readonly [string, Partial<Person>]> = [
  ["no address", {}],
  ["a free address", { email: "alan@example.com" }],
  ["the proven address of Ada", { email: "ada@example.com" }],
  ["the unproven address of Grace", { email: "grace@example.com" }]
]

const proofs: ReadonlyArray<readonly [string, Partial<Person>]> = [
  ["nothing said of it", {}],
  ["said to be proven", { email_verified: true }],
  ["said not to be", { email_verified: false }],
  ["said in a text", { email_verified: "true" }]
]

const presences = [false, true]

const configure =
  (type: "oauth" | "oidc", strategy: "database" | "jwt", allowDangerousEmailAccountLinking: boolean) =>
  (kit: Kit): Config =>
    stored(kit, {
      providers: [(type === "oauth" ? oauth : oidc)(kit, { allowDangerousEmailAccountLinking })],
      session: { strategy },
      callbacks: seen(kit)
    })

/** The scenarios. */
export const linking: ReadonlyArray<Scenario> = kinds.flatMap(([type, strategy]) =>
  trusts.flatMap((trusting) =>
    presences.flatMap((isPresent) =>
      owners.flatMap(([owner, seed]) =>
        addresses.flatMap(([address, email]) =>
          proofs.map(([proof, verified]) =>
            scenario(
              "linking",
              `${type}, ${strategy}${trusting ? ", trusted" : ""}: ${owner}, ${isPresent ? "Ada signed in" : "nobody signed in"}, ${address}, ${proof}`,
              [...signInAs({ sub: "person-1", name: "Somebody", ...email, ...verified }), get("/auth/session")],
              {
                openid: type === "oidc",
                seed: everybody(seed),
                ...(isPresent && strategy === "database" ? { held: holding(adasToken) } : {}),
                ...(isPresent && strategy === "jwt" ? { given: ["session"] as const } : {}),
                config: configure(type, strategy, trusting)
              }
            )
          )
        )
      )
    )
  )
)
