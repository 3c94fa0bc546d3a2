/** Configurations with one mistake each, as applications make them; `sound` has none. */
const secret = "an-application-secret-0123456789-abcdefghijklmnop"

/** The password of everybody. */
export const password = "correct"

const credentials = () => ({
  id: "credentials",
  name: "Password",
  type: "credentials",
  credentials: { username: {}, password: {} },
  authorize: (given) => (given.password === password ? { id: "1", name: "Bob", email: "bob@app.example" } : null)
})

const oidc = (more) => ({
  id: "idp",
  name: "the provider",
  type: "oidc",
  issuer: "https://idp.example",
  clientId: "client",
  clientSecret: "client-secret-0123456789-abcdefghijk",
  ...more
})

export const sound = (more = {}) => ({
  secret,
  trustHost: true,
  basePath: "/api/auth",
  providers: [credentials(), oidc()],
  callbacks: {
    jwt: ({ session, token, trigger }) => (trigger === "update" ? { ...token, name: session.user.name } : token)
  },
  ...more
})

const withProvider = (more) => () => sound({ providers: [credentials(), oidc(more)] })

const email = {
  id: "mail",
  name: "Mail",
  type: "email",
  from: "a@app.example",
  sendVerificationRequest: () => undefined
}

export const mistakes = {
  "no secret": () => sound({ secret: undefined }),
  "an empty secret": () => sound({ secret: "" }),
  "a weak secret": () => sound({ secret: "secret" }),
  "a repeated secret": () => sound({ secret: "a".repeat(64) }),
  "no trust in the host": () => sound({ trustHost: false }),
  "a provider without a client id": withProvider({ clientId: undefined }),
  "a provider whose issuer is no URL": withProvider({ issuer: "idp.example" }),
  "a provider whose issuer is not https": withProvider({ issuer: "http://idp.example" }),
  "a provider without endpoints": withProvider({ issuer: undefined, type: "oauth" }),
  "an unknown authentication method": withProvider({ client: { token_endpoint_auth_method: "password" } }),
  "a placeholder among the providers": () => sound({ providers: [credentials(), undefined, null, "github", {}] }),
  "no list of providers": () => sound({ providers: undefined }),
  "a factory that throws": () =>
    sound({
      providers: [
        credentials(),
        () => {
          throw new Error("no key")
        }
      ]
    }),
  "two providers with one id": () => sound({ providers: [credentials(), oidc(), oidc()] }),
  "a misspelt option": () => sound({ adaptor: {}, sesion: { maxAge: 1 } }),
  "a misspelt callback": () => sound({ callbacks: { signin: () => false, autorized: () => false } }),
  "an option of another type": () => sound({ session: "jwt", pages: [], callbacks: { session: "x" } }),
  "database sessions without an adapter": () => sound({ session: { strategy: "database" } }),
  "an adapter without methods": () => sound({ adapter: {} }),
  "an adapter that is a function": () => sound({ adapter: () => ({}) }),
  "an email provider without an adapter": () => sound({ providers: [credentials(), email] }),
  "a base path without a slash": () => sound({ basePath: "api/auth" }),
  "a base path that is a URL": () => sound({ basePath: "https://app.example/api/auth" }),
  "another base path than the route": () => sound({ basePath: "/auth" }),
  "AUTH_URL that is no URL": () => sound(),
  "AUTH_URL with another path": () => sound({ basePath: undefined }),
  "a cookie name that needs Secure": () =>
    sound({ cookies: { sessionToken: { name: "__Host-x", options: { path: "/x" } } } }),
  "a proxy address that is none": () => sound({ redirectProxyUrl: "/proxy" }),
  "pages that lead back to themselves": () =>
    sound({ pages: { signIn: "/api/auth/signin", error: "/api/auth/error" } }),
  "a session callback that throws": () =>
    sound({
      callbacks: {
        session: () => {
          throw new Error("session")
        }
      }
    }),
  "a jwt callback that throws": () =>
    sound({
      callbacks: {
        jwt: () => {
          throw new Error("jwt")
        }
      }
    }),
  "a decoder that throws": () =>
    sound({
      jwt: {
        decode: () => {
          throw new Error("decode")
        }
      }
    }),
  "a colour that is none": () => sound({ theme: { brandColor: "no colour", logo: "javascript:1" } })
}

/** The environment variables of a mistake. */
export const variables = (mistake) =>
  mistake === "AUTH_URL that is no URL"
    ? { AUTH_URL: "app.example" }
    : mistake === "AUTH_URL with another path"
      ? { AUTH_URL: "https://app.example/elsewhere" }
      : {}
