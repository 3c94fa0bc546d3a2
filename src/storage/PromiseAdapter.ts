/**
 * Storage from an Auth.js adapter.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { AdapterError } from "../Errors.ts"
import type { AdapterMethod, AdapterShape } from "./AdapterShape.ts"

/**
 * An adapter as Auth.js defines it: an object, or an instance of a class, with any of the methods.
 *
 * @category models
 * @since 0.1.0
 */
export type PromiseAdapter = object

const unsupported = (method: AdapterMethod) => () =>
  Effect.fail(new AdapterError({ method, reason: "unsupported", detail: `The adapter has no ${method}` }))

/**
 * Makes storage of an Auth.js adapter.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (_adapter: PromiseAdapter): AdapterShape => ({
  methods: new Set<AdapterMethod>(),
  createUser: unsupported("createUser"),
  getUser: unsupported("getUser"),
  getUserByEmail: unsupported("getUserByEmail"),
  getUserByAccount: unsupported("getUserByAccount"),
  updateUser: unsupported("updateUser"),
  deleteUser: unsupported("deleteUser"),
  linkAccount: unsupported("linkAccount"),
  unlinkAccount: unsupported("unlinkAccount"),
  createSession: unsupported("createSession"),
  getSessionAndUser: unsupported("getSessionAndUser"),
  updateSession: unsupported("updateSession"),
  deleteSession: unsupported("deleteSession"),
  createVerificationToken: unsupported("createVerificationToken"),
  useVerificationToken: unsupported("useVerificationToken"),
  getAccount: unsupported("getAccount"),
  getAuthenticator: unsupported("getAuthenticator"),
  createAuthenticator: unsupported("createAuthenticator"),
  listAuthenticatorsByUserId: unsupported("listAuthenticatorsByUserId"),
  updateAuthenticatorCounter: unsupported("updateAuthenticatorCounter"),
  transaction: (program) => program,
  useOnce: unsupported("useOnce"),
  listAccounts: unsupported("listAccounts"),
  deleteSessions: unsupported("deleteSessions"),
  removeCredentials: unsupported("removeCredentials"),
  sweep: unsupported("sweep")
})
