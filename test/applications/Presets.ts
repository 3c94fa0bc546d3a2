/** The presets that the shapes use, of each side. */
import type { Kit } from "../differential/Scenario.ts"
import type { Fields } from "../differential/corpus/Table.ts"
import { peer } from "../differential/Implementation.ts"

type Preset = (options: Fields) => Fields

const names = ["auth0", "authentik", "github", "google", "keycloak", "wechat"] as const

const load = async (path: (name: string) => string): Promise<ReadonlyMap<string, Preset>> =>
  new Map(
    await Promise.all(
      names.map(async (name): Promise<readonly [string, Preset]> => {
        const module = (await import(path(name))) as { readonly default: Preset }
        return [name, module.default]
      })
    )
  )

const theirs = await load((name) => `@auth/core/providers/${name}`)
const ours = await load((name) => `../../src/compat/providers/${name}.ts`)

/** A provider as the side's own preset makes it, on the network of the test. */
export const preset = ({ idp, implementation }: Kit, name: (typeof names)[number], options: Fields): Fields => {
  const make = (implementation.name === peer.name ? theirs : ours).get(name)
  if (make === undefined) throw new Error(name)
  return { ...make(options), [implementation.customFetch]: idp.fetch }
}
