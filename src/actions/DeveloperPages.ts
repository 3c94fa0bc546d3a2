/**
 * Pages for the person who develops a site, and the one guard before them.
 *
 * A page is shown on this machine, outside production, to a request with the key of the process. A web `Request` has no connection, and
 * a proxy on the same machine connects from a loopback address. So the key is what proves the terminal, and the connection, where it is
 * known, and every host and address that the request names have to be of this machine as well. Other requests get the 404 of a path
 * that is no action.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Settings } from "../config/Settings.ts"
import { mailbox, isDeveloped } from "../email/DevelopmentMailbox.ts"
import type { UnknownAction } from "../Errors.ts"
import type { Arrival } from "../http/Arrival.ts"
import { AuthRequest, unknownPath } from "../http/AuthRequest.ts"
import * as AuthResponse from "../http/AuthResponse.ts"
import { isLoopback } from "../http/NetworkAddress.ts"
import { isOfThisMachine, namesThisMachine } from "../http/NamedHosts.ts"
import { frame } from "../pages/Frame.ts"
import { mailbox as mailboxPage } from "../pages/MailboxPage.ts"
import { ClientAddress } from "../telemetry/AuditEmitter.ts"

/** Does the connection, where it is known, come from this machine? That of a Unix socket has no address: a proxy is before it. */
const comesFromThisMachine = (arrival: Arrival | undefined): boolean =>
  arrival?.isConnected !== true || [arrival.peer, arrival.client].every((address = "") => isOfThisMachine(address))

/** May this request see a page for the person who develops the site? */
const isForDeveloper = (
  { arrival, headers, url }: AuthRequest["Service"],
  production: boolean,
  address: string | undefined
): boolean =>
  !production &&
  isDeveloped(url) &&
  isLoopback(url.hostname) &&
  comesFromThisMachine(arrival?.()) &&
  (address === undefined || isOfThisMachine(address)) &&
  namesThisMachine(headers, /^(?:host|origin|referer)$/) &&
  url.searchParams.get("key") === mailbox().key

/**
 * `GET mailbox`: the mails that this process sent nowhere.
 *
 * @category actions
 * @since 0.1.0
 */
export const developerMailbox: Effect.Effect<AuthResponse.AuthResponse, UnknownAction, Settings | AuthRequest> =
  Effect.contextWith((context: Context.Context<Settings | AuthRequest>) => {
    const request = Context.get(context, AuthRequest)
    const settings = Context.get(context, Settings)
    const isPublic = settings.hosts.origin !== undefined && !isDeveloped(new URL(settings.hosts.origin))
    return isForDeveloper(request, isPublic, Context.get(context, ClientAddress))
      ? Effect.sync(() => AuthResponse.page(mailboxPage(frame(settings, request.url), mailbox().mails)))
      : Effect.fail(unknownPath)
  })
