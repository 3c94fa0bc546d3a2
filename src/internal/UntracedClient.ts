/**
 * A client for secret requests: no trace headers, no client spans (URLs and bodies hold codes and keys), and no redirects
 * followed. The application's other settings of `fetch` stay.
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
