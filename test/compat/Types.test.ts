import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { repetitions } from "../Repetitions.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const programs = join(root, "test/fixtures/auth-js-types")

/** The folder of the projects: below the repository, so that packages are found. */
const folder = mkdtempSync(join(root, "test/.types-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the compiler, and answers what it says. Its threads would each check the types that they share. */
const compile = (...args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  new Promise((resolve) => {
    const file = join(root, "node_modules/typescript/bin/tsc")
    execFile(
      process.execPath,
      [file, "--singleThreaded", ...args],
      { cwd: root, maxBuffer: 64 * 1024 * 1024 },
      (_, stdout) => {
        resolve(stdout.split("\n").filter((line) => line !== ""))
      }
    )
  })

const framework = {
  "a-framework": [join(programs, "framework/index.d.ts")],
  "a-framework/*": [join(programs, "framework/*.d.ts")]
}
const entries = Object.fromEntries(
  ["@auth/core", "effect-doorman"].flatMap((name) => [
    [name, [join(folder, "declarations/index.d.ts")]],
    [`${name}/*`, [join(folder, "declarations/compat/*.d.ts")]]
  ])
)

/** Ways to compile an application. */
const ways = {
  "a server": { module: "nodenext", lib: ["es2023"] },
  "a bundler and a browser": { module: "esnext", moduleResolution: "bundler", lib: ["es2023", "dom", "dom.iterable"] },
  "exact members": {
    module: "nodenext",
    lib: ["es2023", "dom"],
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: false
  }
}

/** The modules that have types, as they are imported. */
const modules = ["adapters", "errors", "jwt", "types", "providers"].concat(
  readdirSync(join(root, "src/compat/providers")).map((name) => `providers/${name.replace(/\.ts$/, "")}`)
)

/** The names of types that @auth/core declares in a module. */
const declaredBy = (name: string): ReadonlyArray<string> => {
  // The video provider has no fixed addresses, so only this package has it.
  if (name === "providers/video") return ["VideoProfile"]
  const file = join(root, "node_modules/@auth/core", `${name === "providers" ? "providers/index" : name}.d.ts`)
  const text = readFileSync(file, "utf8")
  const declared = [...text.matchAll(/^export (?:declare )?(?:interface|type|class) (\w+)/gm)].map(
    ([, name = ""]) => name
  )
  const passed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
    names.split(",").map((each) => each.replace(/^.* as /, "").trim())
  )
  return [...new Set([...declared, ...passed])].filter((name) => /^\w+$/.test(name))
}

/** Declarations of @auth/core that cannot be imported from there. */
const inner = new Set(["default"])

/** Types that need to be told of what they are. */
const parameters = new Map(
  [
    "Awaitable",
    "Awaited",
    "OAuth2Config",
    "OAuthConfig",
    "OAuthUserConfig",
    "OIDCConfig",
    "OIDCConfigInternal",
    "OIDCUserConfig",
    "ProfileCallback"
  ].map((name) => [name, "<1>"])
)

/** Does the module have a platform, which sends a profile? That of the video provider has the members it has. */
const isPlatform = (name: string): boolean =>
  name !== "providers/video" &&
  readFileSync(join(root, `src/compat/${name}.ts`), "utf8").includes(": Factory<typeof preset")

let projects = 0
/** Compiles programs as an application that stands on these declarations would. */
const check = (files: ReadonlyArray<string>, options: object): Promise<ReadonlyArray<string>> => {
  const project = join(folder, `tsconfig.${projects++}.json`)
  const base = { target: "es2022", types: ["node"], strict: true, noEmit: true, skipDefaultLibCheck: true }
  const include = files.map((file) => (isAbsolute(file) ? file : join(programs, file)))
  writeFileSync(project, JSON.stringify({ compilerOptions: { ...base, ...options }, include }))
  return compile("-p", project)
}

/** The compiler's messages about the programs, the declarations of the library, and the packages that stand on them. */
const ours = (lines: ReadonlyArray<string>) =>
  lines.filter((line) => /^(?:\.\.\/)*(?:test\/|node_modules\/@auth\/|node_modules\/@hono\/)/.test(line))

describe("programs for Auth.js", { timeout: 240_000 }, () => {
  beforeAll(async () => {
    const outDir = join(folder, "declarations")
    assert.deepStrictEqual(
      // `npm run typecheck` checks the sources.
      await compile("-p", "tsconfig.build.json", "--outDir", outDir, "--declarationMap", "false", "--noCheck"),
      []
    )
  }, 240_000)

  // Two applications with different members for one type are two programs.
  const together = [["augmented.ts", "custom.ts"], ["frameworked.ts"], ["shapes.ts"]]
  for (const programs of together) {
    it(`${programs.join(", ")} compile with @auth/core`, async () => {
      const options = { ...ways["a bundler and a browser"], skipLibCheck: true, paths: framework }
      assert.deepStrictEqual(await check(programs, options), [])
    })
  }

  // The first program of each way checks the declarations themselves.
  const [first = [], ...others] = together
  const compiled = {
    "a server": [[...first, "ours.ts"], ...others.slice(0, repetitions(0, others.length))],
    "a bundler and a browser": [[...first, "ours.ts"], ...others],
    "exact members": [["custom.ts", "ours.ts"]]
  }
  for (const [way, options] of Object.entries(ways)) {
    for (const [index, programs] of compiled[way as keyof typeof ways].entries()) {
      it(`${programs.join(", ")} compile with these declarations, for ${way}`, async () => {
        const paths = { ...entries, ...framework }
        assert.deepStrictEqual(ours(await check(programs, { ...options, paths, skipLibCheck: index > 0 })), [])
      })
    }
  }

  it("published packages compile with these declarations", async () => {
    const options = { ...ways["a bundler and a browser"], paths: entries }
    assert.deepStrictEqual(ours(await check(["packages.ts", "pg.d.ts"], options)), [])
  })

  it("every name of @auth/core can be imported, and every factory takes a profile of one's own", async () => {
    const lines = modules.flatMap((name, index) => {
      const names = declaredBy(name).filter((declared) => !inner.has(declared))
      const factory = `Factory${index}`
      const types = names.map((declared) => `${declared} as ${declared}${index}`)
      return [
        `import type { ${types.join(", ")} } from "@auth/core/${name}"`,
        `export type Names${index} = [${names.map((declared) => `${declared}${index}${parameters.get(declared) ?? ""}`).join(", ")}]`,
        ...(/^providers\/(?!index$|oauth$|provider-types$)/.test(name)
          ? [
              `import ${factory} from "@auth/core/${name}"`,
              `export const given${index}: Provider[] = [${factory}, ${factory}({})]`
            ]
          : []),
        ...(isPlatform(name)
          ? [
              `export const own${index} = ${factory}({ clientId: "a", clientSecret: "b", issuer: "https://x.example", profile: (profile) => ({ id: String(profile.id), name: profile.whatever.it.is }) })`
            ]
          : [])
      ]
    })
    const program = join(folder, "names.ts")
    writeFileSync(program, [`import type { Provider } from "@auth/core/providers"`, ...lines].join("\n"))
    assert.deepStrictEqual(ours(await check([program], { ...ways["a bundler and a browser"], paths: entries })), [])
  })

  it("tells what does not compile", async () => {
    const found = ours(
      await check(["augmented.ts"], { ...ways["a server"], paths: { ...entries, "@auth/core/types": [] } })
    )
    assert.isNotEmpty(found)
  })
})
