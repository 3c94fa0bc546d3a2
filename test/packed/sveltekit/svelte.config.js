import adapter from "@sveltejs/adapter-node"
import { vitePreprocess } from "@sveltejs/vite-plugin-svelte"

/** Each version of the package is built into folders of its own. */
const suffix = process.env.AUTH_SVELTEKIT === undefined ? "" : "-older"

export default {
  kit: { adapter: adapter({ out: `build${suffix}` }), outDir: `.svelte-kit${suffix}` },
  preprocess: vitePreprocess()
}
