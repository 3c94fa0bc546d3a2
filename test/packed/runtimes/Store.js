/** A store as an application for Auth.js writes one, in memory. */
export const createStore = () => {
  const [users, accounts, sessions, tokens, keys] = [[], [], [], [], []]
  let ids = 0
  const change = (rows, matches, changes) => {
    const row = rows.find(matches)
    return row === undefined ? null : Object.assign(row, changes)
  }
  const take = (rows, matches) => {
    const index = rows.findIndex(matches)
    return index < 0 ? null : rows.splice(index, 1)[0]
  }
  const add = (rows, row) => {
    rows.push(row)
    return { ...row }
  }
  const copy = (row) => (row === undefined || row === null ? null : { ...row })
  const byId = (id) => (row) => row.id === id
  const isAccount =
    ({ provider, providerAccountId }) =>
    (row) =>
      row.provider === provider && row.providerAccountId === providerAccountId
  return {
    createUser: async (user) => add(users, { ...user, id: `user-${++ids}` }),
    getUser: async (id) => copy(users.find(byId(id))),
    getUserByEmail: async (email) => copy(users.find((row) => row.email === email)),
    getUserByAccount: async (account) => copy(users.find(byId(accounts.find(isAccount(account))?.userId))),
    updateUser: async (user) => copy(change(users, byId(user.id), user)),
    deleteUser: async (id) => take(users, byId(id)),
    linkAccount: async (account) => add(accounts, account),
    unlinkAccount: async (account) => take(accounts, isAccount(account)),
    getAccount: async (providerAccountId, provider) => copy(accounts.find(isAccount({ provider, providerAccountId }))),
    listAccounts: async (userId) => accounts.filter((row) => row.userId === userId).map(copy),
    updateAccount: async (account, before = {}) => {
      const matches = isAccount(account)
      const row = accounts.find(
        (row) => matches(row) && (before.refresh_token ?? row.refresh_token) === row.refresh_token
      )
      if (row !== undefined) Object.assign(row, account)
      return row !== undefined
    },
    createSession: async (session) => add(sessions, session),
    getSessionAndUser: async (sessionToken) => {
      const session = sessions.find((row) => row.sessionToken === sessionToken)
      const user = users.find(byId(session?.userId))
      return user === undefined ? null : { session: { ...session }, user: { ...user } }
    },
    updateSession: async (session) =>
      copy(change(sessions, (row) => row.sessionToken === session.sessionToken, session)),
    deleteSession: async (sessionToken) => take(sessions, (row) => row.sessionToken === sessionToken),
    createVerificationToken: async (token) => add(tokens, token),
    useVerificationToken: async ({ identifier, token }) =>
      take(tokens, (row) => row.identifier === identifier && row.token === token),
    createAuthenticator: async (key) => add(keys, key),
    getAuthenticator: async (credentialID) => copy(keys.find((row) => row.credentialID === credentialID)),
    listAuthenticatorsByUserId: async (userId) => keys.filter((row) => row.userId === userId).map(copy),
    updateAuthenticatorCounter: async (credentialID, counter) =>
      copy(change(keys, (row) => row.credentialID === credentialID, { counter }))
  }
}
