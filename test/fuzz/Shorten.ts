/**
 * Makes a play as short as it can be while it still does what it is kept for.
 */
import type { Play, Step } from "./Play.ts"

const withoutEach = <A>(list: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  list.map((_, index) => list.toSpliced(index, 1))

/** Queries and bodies with less in them: without one parameter, or half as long. */
const shorterTexts = (text: string): ReadonlyArray<string> => [
  ...(text.includes("&") ? withoutEach(text.split("&")).map((some) => some.join("&")) : []),
  ...(text.length > 40 ? [text.slice(0, text.length / 2)] : [])
]

const shorterPaths = (path: string): ReadonlyArray<string> => {
  const at = path.indexOf("?")
  if (at < 0) return []
  return [path.slice(0, at), ...shorterTexts(path.slice(at + 1)).map((query) => `${path.slice(0, at)}?${query}`)]
}

const shorterSteps = (step: Step): ReadonlyArray<Step> => {
  const { body, cookies, fault, ...rest } = step
  const withBody = body === undefined ? {} : { body }
  const withCookies = cookies === undefined ? {} : { cookies }
  const withFault = fault === undefined ? {} : { fault }
  return [
    ...(fault === undefined ? [] : [{ ...rest, ...withBody, ...withCookies }]),
    ...(body === undefined ? [] : [{ ...rest, ...withCookies, ...withFault }]),
    ...(cookies === undefined ? [] : [{ ...rest, ...withBody, ...withFault }]),
    ...withoutEach(cookies ?? []).map((some) => ({ ...step, cookies: some })),
    ...withoutEach(step.headers).map((headers) => ({ ...step, headers })),
    ...step.headers.flatMap(([name, value], index) =>
      value.length > 40
        ? [{ ...step, headers: step.headers.with(index, [name, value.slice(0, value.length / 2)] as const) }]
        : []
    ),
    ...shorterPaths(step.path).map((path) => ({ ...step, path })),
    ...shorterTexts(body ?? "").map((shorter) => ({ ...step, body: shorter }))
  ]
}

const shorterPlays = (play: Play): ReadonlyArray<Play> => [
  ...(play.steps.length > 1 ? withoutEach(play.steps).map((steps) => ({ ...play, steps })) : []),
  ...play.steps.flatMap((step, index) =>
    shorterSteps(step).map((one) => ({ ...play, steps: play.steps.with(index, one) }))
  )
]

/** Plays shorter and shorter plays, `tries` at most. */
export const shorten = async (play: Play, holds: (shorter: Play) => Promise<boolean>, tries = 400): Promise<Play> => {
  let shortest = play
  let left = tries
  for (let index = 0; left > 0; left--) {
    const next = shorterPlays(shortest)[index]
    if (next === undefined) return shortest
    if (await holds(next)) {
      shortest = next
      index = 0
    } else index++
  }
  return shortest
}
