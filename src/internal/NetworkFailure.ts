/**
 * Why a request to another server failed: the system's own code, in words, and the host.
 *
 * Runtimes and clients wrap the error of the socket in their own ways, and may keep the whole request beside it. So only a
 * code of the known form is kept of a thrown value. A code that is only in a message counts when it is in the table
 * below.
 *
 * @since 0.1.0
 */
import { member } from "./ThrownValue.ts"

/** Meanings of codes, by the words of their explanation. */
const meanings: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?:ECONNREFUSED|ConnectionRefused)$/, "the connection was refused"],
  [/^(?:ENOTFOUND|EAI_[A-Z]+|EDNS|DNS[A-Za-z]*)$/, "the name of the host could not be resolved"],
  [/CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|HOSTNAME_MISMATCH|^CRL_/, "the certificate is not accepted"],
  [/^(?:EPROTO|ETLS)$|(?:^|_)(?:SSL|TLS)(?:_|$)/, "the encrypted connection could not be set up"],
  [/TIMEOUT|TIMEDOUT|^TimeoutError$|^Timeout$/, "there was no answer in time"],
  [/^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|ConnectionClosed)$/, "the connection was closed"],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, "the host is not reachable from here"],
  [/^(?:ESOCKET|ECONNECTION|FailedToOpenSocket)$/, "the connection failed"],
  [/^(?:HTTPParserError|HPE_[A-Z_]+)$/, "the server does not speak HTTP"],
  [/^AbortError$/, "the request was cancelled"]
]

/** A code of a system, of TLS or of a client; never a value of another kind that stands under the same name. */
const code = /^(?:E[A-Z]{2,19}|[A-Z][A-Z0-9]{1,20}(?:_[A-Z0-9]{1,20}){1,8}|(?:[A-Z][a-z]{1,20}){2,5})$/
const codeInText = /\b(?:E[A-Z]{4,19}|EAI_[A-Z]{2,12}|(?:UND_)?ERR_[A-Z_]{3,40}|[A-Z_]*CERT[A-Z_]*)\b/g

const meaningOf = (name: string): string | undefined => meanings.find(([pattern]) => pattern.test(name))?.[1]

/** Where wrappers keep the error of the socket. */
const causeMembers = ["cause", "reason", "error", "originalError"] as const

/** How many errors are looked at: a host has several addresses, and each of them may fail. */
const most = 12

/** The errors behind one, nearest first. */
const errorsOf = (thrown: unknown): ReadonlyArray<unknown> => {
  const errors: Array<unknown> = [thrown]
  for (let at = 0; at < errors.length && errors.length < most; at++) {
    const errorList = member(errors[at], "errors")
    const several: ReadonlyArray<unknown> = Array.isArray(errorList) ? errorList : []
    const inner = [...causeMembers.map((name) => member(errors[at], name)), ...several]
    for (const one of inner) if (typeof one === "object" && one !== null && !errors.includes(one)) errors.push(one)
  }
  return errors
}

const textOf = (value: unknown, name: string): string => {
  const text = member(value, name)
  return typeof text === "string" ? text.slice(0, 2000) : ""
}

/** All that may be the code, the most telling first. */
const codesOf = (thrown: unknown): ReadonlyArray<string> => {
  const errors = errorsOf(thrown)
  const said = errors.flatMap((error) => {
    const ownCode = textOf(error, "code")
    return code.test(ownCode) ? [ownCode] : []
  })
  const inText = errors.flatMap((error) => textOf(error, "message").match(codeInText) ?? [])
  const names = errors.flatMap((error) => {
    const name = textOf(error, "name")
    return /^[A-Z]\w{1,40}$/.test(name) && name !== "Error" ? [name] : []
  })
  const vague = new Set(["ESOCKET", "ECONNECTION"])
  const codes = [...said, ...inText, ...names].filter((one) => meaningOf(one) !== undefined)
  return [...codes.filter((one) => !vague.has(one)), ...codes, ...said, ...names.reverse()]
}

/** The facts about a failed request. */
export class NetworkFailure extends Error {
  override readonly name = "NetworkFailure"
  readonly #own = true
  /** Asks a question that nothing which was thrown can answer by itself, as a proxy answers `instanceof`. */
  static readonly is = (value: unknown): value is NetworkFailure =>
    typeof value === "object" && value !== null && #own in value && value.#own
  /** The code, such as `ECONNREFUSED`, or the name of an error that has none. */
  readonly code: string
  constructor(code: string, host: string | undefined) {
    super(`${code}: ${meaningOf(code) ?? "the request failed"}${host === undefined ? "" : ` (${host})`}`)
    this.code = code
  }
}

/** Why a request to this host failed, from whatever was thrown. */
export const networkFailure = (thrown: unknown, host?: string): NetworkFailure =>
  NetworkFailure.is(thrown) ? thrown : new NetworkFailure(codesOf(thrown)[0] ?? "Error", host)

/** The host of an address, with its port; never a user name, a password, a path or a query. */
export const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)
