/** Adapters as applications write them. */
const methods = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "linkAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken"
]

/** One that finds nothing. */
export const memory = () => Object.fromEntries(methods.map((name) => [name, async () => null]))

/** A database in which no migration ran, with the error of SQLite. */
export const withoutTables = () =>
  Object.fromEntries(
    methods.map((name) => [
      name,
      async () => {
        throw Object.assign(new Error("no such table: users"), { code: "SQLITE_ERROR" })
      }
    ])
  )
