/** Bundles the page for browsers. */
import { build } from "esbuild"

await build({
  entryPoints: ["client.tsx"],
  bundle: true,
  minify: true,
  format: "esm",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
  outfile: "build/client.js"
})
