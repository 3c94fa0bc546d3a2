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

/** One that keeps the tokens of links; `expired` ends each before it is followed. */
export const links = ({ expired = false } = {}) => {
  const tokens = new Map()
  return {
    ...memory(),
    createUser: async (user) => ({ ...user, id: "1" }),
    createVerificationToken: async (row) => void tokens.set(row.token, row) ?? row,
    useVerificationToken: async ({ token }) => {
      const row = tokens.get(token)
      tokens.delete(token)
      return row === undefined ? null : expired ? { ...row, expires: new Date(0) } : row
    }
  }
}

const ofPasskeys = [
  "getAccount",
  "getAuthenticator",
  "createAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter"
]

/** One that has every method. */
export const everything = () => ({
  ...memory(),
  ...Object.fromEntries(ofPasskeys.map((name) => [name, async () => null]))
})
