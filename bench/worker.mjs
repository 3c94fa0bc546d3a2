/**
 * The worker that `workerd.mjs` measures: both implementations in one worker, without `node:crypto` for them. The cases themselves
 * import it. One request checks a case, prepares calls of it or makes them.
 */
import * as ours from "implementation:ours"
import * as oursTokens from "implementation:ours/jwt"
import * as theirs from "implementation:theirs"
import * as theirsTokens from "implementation:theirs/jwt"

const IN_FLIGHT = 8

const original = process.getBuiltinModule
process.getBuiltinModule = (id) => (/^(node:)?crypto$/u.test(id) ? undefined : original.call(process, id))

const implementationOf = (name, { Auth, customFetch }, { decode, encode, getToken }) => ({
  name,
  Auth,
  customFetch,
  encode,
  decode,
  getToken
})

const implementations = {
  ours: implementationOf("ours", ours, oursTokens),
  theirs: implementationOf("theirs", theirs, theirsTokens)
}

const contenders = new Map()

/** The cases seal their tokens when they are loaded, which a worker may only do in a request. */
const contenderOf = async (id, who) => {
  const key = `${who} ${id}`
  if (!contenders.has(key)) {
    const { caseOf } = await import("./cases/index.mjs")
    contenders.set(key, { inputs: undefined, ...caseOf(id).contender(implementations[who]) })
  }
  return contenders.get(key)
}

const steps = {
  check: (contender) => contender.check(),
  prepare: async (contender, calls) => {
    contender.inputs = await contender.prepare?.(calls)
  },
  run: async (contender, calls) => {
    let left = calls
    const lane = async () => {
      while (left > 0) {
        left--
        await contender.run(contender.inputs?.[left])
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  }
}

export default {
  fetch: async (request) => {
    const { searchParams } = new URL(request.url)
    try {
      const contender = await contenderOf(searchParams.get("case"), searchParams.get("who"))
      return Response.json(
        (await steps[searchParams.get("step")](contender, Number(searchParams.get("calls")))) ?? null
      )
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 })
    }
  }
}
