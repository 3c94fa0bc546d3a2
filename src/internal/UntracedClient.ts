/**
 * How requests leave that nobody else may hear of: no trace headers, no client spans (addresses and bodies hold codes and
 * keys), and no redirects followed. What else the application set for `fetch` stays.
 */
import * as Context from "effect/Context"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"

const never = () => true

/** For `Effect.updateContext` around a request. */
export const quiet = (context: Context.Context<never>): Context.Context<never> =>
  context.pipe(
    Context.add(HttpClient.TracerPropagationEnabled, false),
    Context.add(HttpClient.TracerDisabledWhen, never),
    Context.add(FetchHttpClient.RequestInit, {
      ...Context.getOrUndefined(context, FetchHttpClient.RequestInit),
      redirect: "manual"
    })
  )
