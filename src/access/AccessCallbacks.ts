/**
 * The callbacks of a configuration, typed by the schemas of an access.
 *
 * @since 0.1.0
 */
import type { CallbacksOptions, JwtParams } from "../Callbacks.ts"
import type { StoredSessionParams, TokenSessionParams } from "../config/SessionParams.ts"
import type { Answer } from "../internal/Answer.ts"
import type { JWT } from "../Models.ts"

/** A token: its members with the names of the user and the claims have their types. A token from before a change lacks the new members. */
type Token<User, Claims> = JWT & Partial<Omit<Claims & User, Standard>>

/** Members that a token has in types of its own. */
type Standard = "email" | "exp" | "iat" | "id" | "jti" | "name" | "picture" | "sub"

/** A session that the schemas can read: the library adds the id of the user where the callback returns none. */
type ReadableSession<User, Claims> = Claims & {
  readonly user: User extends { readonly id: infer Id } ? Omit<User, "id"> & { readonly id?: Id } : User
  readonly expires: Date | string
}

/**
 * The functions that `callbacks` of an access takes. `User` and `Claims` are the encoded types of its schemas.
 *
 * @category models
 * @since 0.1.0
 */
export interface AccessCallbacks<User, Claims> extends Omit<CallbacksOptions<unknown>, "jwt" | "session"> {
  /** The claims of the token; `null` ends the session. */
  readonly jwt?:
    | ((
        params: Omit<JwtParams, "token"> & { readonly token: Token<User, Claims> }
      ) => Answer<Token<User, Claims> | null, unknown>)
    | undefined
  /** The session for handlers and clients, as the Schemas of the access read it. */
  readonly session?:
    | ((
        params: StoredSessionParams | (Omit<TokenSessionParams, "token"> & { readonly token: Token<User, Claims> })
      ) => Answer<ReadableSession<User, Claims>, unknown>)
    | undefined
}

/**
 * The given functions. A name of no callback is a mistake, such as `singIn`.
 *
 * @category models
 * @since 0.1.0
 */
export type KnownCallbacks<Given> = Given & {
  readonly [Name in keyof Given]: Name extends keyof CallbacksOptions ? unknown : "There is no such function"
}

/**
 * The functions as a configuration takes them: for tokens of every shape. Their results stay in the type.
 *
 * @category models
 * @since 0.1.0
 */
export type LayerCallbacks<Given> = {
  readonly [Name in keyof Given & keyof CallbacksOptions]: Given[Name] extends (params: never) => infer Result
    ? (params: Parameters<NonNullable<CallbacksOptions[Name]>>[0]) => Result
    : Given[Name]
}
