/**
 * The engine of `createAuth`: the programs of the Effect services, run for a Web API request, with promises as results.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { asUserId } from "../models/Id.ts"
import * as Accounts from "../Accounts.ts"
import { listener as auditing } from "../Audit.ts"
import { Audit, type Listener as AuditListener } from "../telemetry/AuditEmitter.ts"
import type { Options } from "../config/Options.ts"
import { fatal } from "../config/Problem.ts"
import { Doorman } from "../Doorman.ts"
import { MalformedRequest } from "../Errors.ts"
import * as Http from "../Http.ts"
import { addVary } from "../access/Guards.ts"
import { changeSession } from "../access/Middleware.ts"
import { type Assurance, checkAssurance } from "../access/Assurance.ts"
import { authenticationOf } from "../access/SessionDecoder.ts"
import type { AccountKey } from "../storage/AdapterShape.ts"
import {
  checked,
  configuration,
  id,
  misuseOf,
  object,
  optionalList,
  request as isRequest,
  requirement as isRequirement,
  text
} from "./Arguments.ts"
import * as Instance from "./Instance.ts"
import * as ProviderTokens from "../ProviderTokens.ts"
import { fromAnswer } from "../internal/Answer.ts"
import type { PlainEngine } from "../http/PlainExchange.ts"
import { type ServerRequest, toWebRequest } from "./IncomingRequest.ts"
import type { Listener, ServerAuth } from "./ServerAuth.ts"
import { serverSession } from "./ServerSession.ts"
import { type RunApart, sessionFunctions } from "./ServerSessions.ts"

/** The functions that need the engine. */
export interface ServerEngine extends Omit<ServerAuth, "basePath" | "dispose" | "onEvent" | "requestUrl"> {
  readonly plain: PlainEngine
}

/** Calls every listener; a failure of one is logged, and the others are called all the same. */
const telling = (listeners: ReadonlySet<Listener>): AuditListener => ({
  take: (note) =>
    Effect.forEach(
      [...listeners],
      (listener) => auditing((event) => fromAnswer("onEvent", () => listener(event))).take(note),
      { discard: true }
    )
})

const sessionOf = Effect.map(Http.ownSession, serverSession)

const assuredSession = (requirement: Assurance) =>
  Effect.gen(function* () {
    const found = yield* Http.ownSession
    yield* checkAssurance(authenticationOf(found), requirement)
    return serverSession(found)
  })

/** The session, or `null` for a request without one and for a request that another site made a browser send. */
const visitorOf = Effect.andThen(
  Effect.contextWith((context: Context.Context<HttpServerRequest>) => Effect.sync(() => addVary(context))),
  Effect.catchTags(sessionOf, {
    NotAllowed: () => Effect.succeed(null),
    NotSignedIn: () => Effect.succeed(null)
  })
)

/** How the functions run programs. */
interface Runners {
  /** Runs a program for a request; `headers` are those that it wants to be set. */
  readonly answer: <A, E>(
    asked: ServerRequest,
    program: Effect.Effect<A, E, Doorman | HttpServerRequest>
  ) => Promise<{ readonly value: A; readonly headers: Headers }>
  /** Writes the headers to `onto` as well. */
  readonly read: <A, E>(
    asked: ServerRequest,
    program: Effect.Effect<A, E, Doorman | HttpServerRequest>,
    onto: Headers | undefined
  ) => Promise<A>
  readonly apart: RunApart
}

const runnersOf = (instance: Instance.Instance, config: Options): Runners => {
  const answer: Runners["answer"] = <A, E>(
    asked: ServerRequest,
    program: Effect.Effect<A, E, Doorman | HttpServerRequest>
  ) => {
    const request = toWebRequest(asked, config)
    if (request === undefined) {
      const detail = "The request names no host, or it has a method that no request of the web has"
      return Promise.reject(new MalformedRequest({ detail }))
    }
    const doorman = instance.doorman(request)
    if (Result.isFailure(doorman)) return Promise.reject(doorman.failure)
    let exit: Exit.Exit<A, E> | undefined
    const handler = HttpEffect.toWebHandler(
      Effect.map(Effect.exit(Effect.provideService(program, Doorman, doorman.success)), (ended) => {
        exit = ended
        return HttpServerResponse.empty()
      })
    )
    return handler(request).then(({ headers }) => {
      headers.delete("content-length")
      if (exit !== undefined && Exit.isSuccess(exit)) return { value: exit.value, headers }
      return Promise.reject<never>(exit === undefined ? new Error("The request was aborted") : Cause.squash(exit.cause))
    })
  }

  const read: Runners["read"] = (asked, program, onto) =>
    answer(asked, program).then(({ headers, value }) => {
      for (const [name, text] of headers) {
        // An application that has said how long its answer is kept is obeyed.
        if (name !== "cache-control" || onto?.has(name) === false) onto?.append(name, text)
      }
      return value
    })

  const apart: RunApart = (program, signal) => {
    const doorman = instance.doorman()
    return Result.isFailure(doorman)
      ? Promise.reject(doorman.failure)
      : Effect.runPromise(
          Effect.provideContext(Effect.provideService(program, Doorman, doorman.success), doorman.success.services),
          { signal }
        )
  }

  return { answer, read, apart }
}

/** A token as text. */
const plainToken = ({ accessToken, expiresAt, ...token }: ProviderTokens.ProviderToken) => ({
  ...token,
  accessToken: Redacted.value(accessToken),
  expiresAt: expiresAt === undefined ? undefined : DateTime.toDateUtc(expiresAt)
})

const providerTokensOf = ({ apart, read }: Runners): ServerAuth["providerTokens"] => ({
  get: (request) =>
    checked(misuseOfTokens("get", request), () => {
      const { minimumValidity = 60, userId, ...rest } = request
      const validity = Duration.seconds(minimumValidity)
      return apart(
        Effect.map(ProviderTokens.get({ ...rest, userId: asUserId(userId), minimumValidity: validity }), plainToken)
      )
    }),
  getCurrent: (request, answer, options) =>
    checked(misuseOfCurrent(request, options), () => {
      const { minimumValidity = 60, provider, providerAccountId } = options
      const token = ProviderTokens.get({
        provider,
        providerAccountId,
        minimumValidity: Duration.seconds(minimumValidity)
      })
      // Cookies are set also where there is no token.
      return read(request, Effect.result(token), answer).then((result) =>
        Result.isSuccess(result) ? plainToken(result.success) : Promise.reject(result.failure)
      )
    }),
  revoke: (request) =>
    checked(misuseOfTokens("revoke", request), () =>
      apart(ProviderTokens.revoke({ ...request, userId: asUserId(request.userId) }))
    )
})

const misuseOfCurrent = (request: ServerRequest, options: { readonly provider: string }) => {
  const call = "providerTokens.getCurrent(request, answer, { provider })"
  return (
    misuseOf(call, { request: [request, isRequest], "the third argument": [options, object] }) ??
    misuseOf(call, { provider: [options.provider, id] })
  )
}

const misuseOfTokens = (name: string, request: { readonly userId: string; readonly provider: string }) => {
  const call = `providerTokens.${name}({ userId, provider })`
  return (
    misuseOf(call, { "the first argument": [request, object] }) ??
    misuseOf(call, { userId: [request.userId, id], provider: [request.provider, id] })
  )
}

const accountsOf = ({ apart }: Runners): ServerAuth["accounts"] => ({
  export: (userId) =>
    checked(misuseOf("accounts.export(userId)", { userId: [userId, id] }), () =>
      apart(Effect.map(Accounts.export(asUserId(userId)), Option.getOrNull))
    ),
  renamePasskey: (userId, credentialID, label) =>
    checked(
      misuseOf("accounts.renamePasskey(userId, credentialID, label)", {
        userId: [userId, id],
        credentialID: [credentialID, text],
        label: [label, text]
      }),
      () => apart(Accounts.renamePasskey(asUserId(userId), credentialID, label))
    ),
  remove: (userId) =>
    checked(misuseOf("accounts.remove(userId)", { userId: [userId, id] }), () =>
      apart(Accounts.remove(asUserId(userId)))
    ),
  list: (userId) =>
    checked(misuseOf("accounts.list(userId)", { userId: [userId, id] }), () => apart(Accounts.list(asUserId(userId)))),
  unlink: (userId, account, options) =>
    checked(misuseOfUnlink(userId, account), () => apart(Accounts.unlink(asUserId(userId), account, options)))
})

const misuseOfUnlink = (userId: string, account: AccountKey) => {
  const call = "accounts.unlink(userId, account)"
  return (
    misuseOf(call, { userId: [userId, id], account: [account, object] }) ??
    misuseOf(call, {
      "account.provider": [account.provider, id],
      "account.providerAccountId": [account.providerAccountId, id]
    })
  )
}

/** The engine without web requests and responses. */
const plainOf = (instance: Instance.Instance): PlainEngine => ({
  answer: (request, url, done) => {
    const fiber = instance.answer(request, url)
    const end = (exit: Exit.Exit<Instance.Answered>): void => {
      if (Exit.isSuccess(exit)) done(Instance.toWire(exit.value, request))
      else if (!Cause.hasInterruptsOnly(exit.cause)) done({ defect: Cause.squash(exit.cause) })
    }
    const exit = fiber.pollUnsafe()
    if (exit === undefined) fiber.addObserver(end)
    else end(exit)
    return exit === undefined ? () => fiber.interruptUnsafe() : undefined
  },
  fail: (thrown, request, url, done) =>
    void instance.fail(thrown, request, url).addObserver((exit) => {
      if (Exit.isSuccess(exit)) done(Instance.toWire(exit.value, request))
    })
})

/** Makes the functions of a configuration. `given` is what the application passed. */
export const make = (config: Options, listeners: ReadonlySet<Listener>, given: unknown): ServerEngine => {
  const misuse = misuseOf("createAuth(config)", { config: [given, configuration] })
  const services = new Map([[Audit.key, telling(listeners)]])
  const instance = Instance.make(config, services, misuse === undefined ? [] : [fatal(misuse)])
  const runners = runnersOf(instance, config)
  const { answer, read } = runners
  return {
    handler: (request) => {
      const misuse = Instance.answerMisuse(request, config)
      if (misuse !== undefined) return misuse
      const answered = Instance.answerTo(instance, request)
      return Promise.resolve(answered).then((answered) => Instance.toResponse(answered, request))
    },
    plain: plainOf(instance),
    getSession: (request, headers) =>
      checked(misuseOf("getSession(request)", { request: [request, isRequest] }), () =>
        toWebRequest(request, config) === undefined ? Promise.resolve(null) : read(request, visitorOf, headers)
      ),
    requireSession: (request, headers) =>
      checked(misuseOf("requireSession(request)", { request: [request, isRequest] }), () =>
        read(request, sessionOf, headers)
      ),
    requireAssurance: (request, requirement, headers) =>
      checked(
        misuseOf("requireAssurance(request, requirement)", {
          request: [request, isRequest],
          requirement: [requirement, isRequirement]
        }) ??
          misuseOf("requireAssurance(request, requirement)", {
            "requirement.acr": [requirement.acr, optionalList],
            "requirement.amr": [requirement.amr, optionalList]
          }),
        () => {
          const { maxAge, ...rest } = requirement
          const age = maxAge === undefined ? {} : { maxAge: Duration.seconds(maxAge) }
          return read(request, assuredSession({ ...rest, ...age }), headers)
        }
      ),
    signIn: (request, user, options) =>
      checked(
        misuseOf("signIn(request, user)", { request: [request, isRequest], user: [user, object] }) ??
          misuseOf("signIn(request, user)", { "user.id": [user.id, id], "options.amr": [options?.amr, optionalList] }),
        () => answer(request, Http.signIn({ ...user, id: asUserId(user.id) }, options)).then(({ headers }) => headers)
      ),
    signOut: (request) =>
      checked(misuseOf("signOut(request)", { request: [request, isRequest] }), () =>
        answer(request, Http.signOut).then(({ headers }) => headers)
      ),
    updateSession: (request, data) =>
      checked(misuseOf("updateSession(request, data)", { request: [request, isRequest], data: [data, object] }), () =>
        answer(request, changeSession(data, true)).then(({ headers, value }) => ({
          session: serverSession(value),
          headers
        }))
      ),
    sessions: sessionFunctions(runners.apart),
    providerTokens: providerTokensOf(runners),
    accounts: accountsOf(runners)
  }
}
