import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { readManifest, resolveSource } from "./tools/build/package-map.mjs"

const root = fileURLToPath(new URL(".", import.meta.url))
const manifest = readManifest(root)

/** Packages that stand on @auth/core: in an application the override leads them to this package. */
const compatible = /[\\/]node_modules[\\/](?:@auth[\\/](?:[a-z0-9-]+-adapter|express)|@hono[\\/]auth-js)[\\/]/

export default defineConfig({
  // Examples import the package by its name: that leads to the sources, as in `tools/tests/docs-source-hooks.mjs`.
  plugins: [
    {
      name: "in-place-of-auth-core",
      enforce: "pre",
      resolveId: (specifier, importer) => {
        if (!/^@auth\/core(?:\/|$)/.test(specifier) || importer === undefined || !compatible.test(importer)) return
        const source = resolveSource(manifest, specifier.replace("@auth/core", manifest.name))
        return source === undefined ? undefined : `${root}${source}`
      }
    },
    {
      name: "package-sources",
      enforce: "pre",
      resolveId: (specifier) => {
        if (specifier !== manifest.name && !specifier.startsWith(`${manifest.name}/`)) return
        const source = resolveSource(manifest, specifier)
        return source === undefined ? undefined : `${root}${source}`
      }
    }
  ],
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/workshop/Setup.ts"],
    reporters: ["default", "./tools/tests/closing-reporter.mjs"],
    pool: "forks",
    maxWorkers: 2,
    // A limit ends a test that hangs. It is no measure of speed: a busy machine runs tests twenty times slower.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    fsModuleCache: false,
    server: { deps: { inline: [compatible] } },
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["text-summary", "json-summary", "html"],
      thresholds: { statements: 97, branches: 94, functions: 95, lines: 98 }
    }
  }
})
