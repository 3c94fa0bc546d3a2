/**
 * Compiles rows about types: each row is one line of a program, and holds when the compiler says nothing about its line.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { TypeRow } from "./Row.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

const entries = {
  Core: "index.ts",
  Types: "compat/types.ts",
  Tokens: "compat/jwt.ts",
  Adapters: "compat/adapters.ts",
  Providers: "compat/providers.ts",
  Video: "compat/providers/video.ts"
}

const prelude = [
  ...Object.entries(entries).map(([name, file]) => `import type * as ${name} from "${join(root, "src", file)}"`),
  "type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false",
  "type Fits<A, B> = [A] extends [B] ? true : false",
  "type Value<T, K extends keyof T> = Exclude<T[K], undefined>",
  "type IsOptional<T, K extends keyof T> = {} extends Pick<T, K> ? true : false",
  "type IsReadonly<T, K extends keyof T> = Is<{ [P in K]: T[P] }, { readonly [P in K]: T[P] }>",
  "type Member<T, K extends keyof T> = NonNullable<T[K]>",
  "declare const check: <T extends true | ReadonlyArray<true>>() => T"
]

const compile = (project: string): Promise<string> =>
  new Promise((resolve) => {
    const file = join(root, "node_modules/typescript/bin/tsc")
    execFile(
      process.execPath,
      [file, "--singleThreaded", "-p", project],
      { cwd: root, maxBuffer: 64 * 1024 * 1024 },
      (_, stdout) => resolve(stdout)
    )
  })

/** The compiler's message about each row; an empty string without one. */
export const compileRows = async (rows: ReadonlyArray<TypeRow>): Promise<ReadonlyArray<string>> => {
  const folder = mkdtempSync(join(root, "test/.types-"))
  try {
    const program = join(folder, "rows.ts")
    writeFileSync(program, [...prelude, ...rows.map(({ holds }) => `check<${holds}>()`)].join("\n"))
    const project = join(folder, "tsconfig.json")
    writeFileSync(
      project,
      JSON.stringify({
        extends: join(root, "tsconfig.base.json"),
        compilerOptions: { noEmit: true, plugins: [] },
        files: [program]
      })
    )
    const problems = new Map<number, string>()
    for (const line of (await compile(project)).split("\n")) {
      const [, number, text = ""] = /rows\.ts\((\d+),\d+\): (.*)$/.exec(line) ?? []
      if (number !== undefined) problems.set(Number(number) - prelude.length - 1, text)
      else if (line.includes("error TS")) throw new Error(line)
    }
    return rows.map((_, index) => problems.get(index) ?? "")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
