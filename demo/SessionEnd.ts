/**
 * Tells an open page that its session has ended: server-sent events over `Sessions.changes`, which looks once a second.
 */
import * as DateTime from "effect/DateTime"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type { AdapterShape } from "../src/Adapter.ts"
import { Doorman } from "../src/Doorman.ts"
import { SessionId, UserId } from "../src/Models.ts"
import * as Sessions from "../src/Sessions.ts"

/** Follows sessions until they end. */
export interface SessionEnd {
  readonly events: (session: {
    readonly userId: string
    readonly sessionId: string
    readonly expires: string
  }) => Promise<ReadableStream<Uint8Array>>
  readonly close: () => Promise<void>
}

/** Makes it over the sessions of a store. */
export const makeSessionEnd = (options: {
  readonly adapter: AdapterShape
  readonly secret: string
  readonly url: string
}): SessionEnd => {
  const runtime = ManagedRuntime.make(
    Doorman.layer({
      providers: [],
      secret: Redacted.make(options.secret),
      origin: options.url,
      adapter: options.adapter
    }).pipe(Layer.provide(FetchHttpClient.layer))
  )
  return {
    events: async ({ expires, sessionId, userId }) => {
      const session = {
        userId: UserId.make(userId),
        id: SessionId.make(sessionId),
        expires: DateTime.makeUnsafe(expires),
        generation: undefined
      }
      const events = Stream.make("retry: 5000\n\n").pipe(
        Stream.concat(Sessions.changes(session, { every: "1 second" })),
        Stream.concat(Stream.make("event: ended\ndata: ended\n\n")),
        Stream.encodeText
      )
      return Stream.toReadableStreamWith(events, await runtime.context())
    },
    close: () => runtime.dispose()
  }
}

/** Text of `/session.js`. */
export const sessionScript = `"use strict";
const source = new EventSource("/session-end");
source.addEventListener("ended", () => {
  source.close();
  document.getElementById("session-ended").hidden = false;
  for (const part of document.querySelectorAll("main .columns")) part.remove();
});
`
