/** Throttles that count in a memory of their own. */
import * as Effect from "effect/Effect"
import * as MailThrottle from "../src/mail/MailThrottle.ts"
import { makeMemory, SharedState } from "../src/SharedState.ts"
import * as SignInThrottle from "../src/SignInThrottle.ts"

export const signInThrottle = (): SignInThrottle.SignInThrottleService => {
  const { begin, end } = SignInThrottle.make()
  const here = Effect.provideService(SharedState, makeMemory())
  return { begin: (attempt) => here(begin(attempt)), end: (attempt, outcome) => here(end(attempt, outcome)) }
}

export const mailThrottle = (): MailThrottle.MailThrottleService => {
  const { begin, end, guess } = MailThrottle.make()
  const here = Effect.provideService(SharedState, makeMemory())
  return {
    begin: (mailbox) => here(begin(mailbox)),
    end: (mailbox, outcome) => here(end(mailbox, outcome)),
    guess: (mailbox) => here(guess(mailbox))
  }
}
