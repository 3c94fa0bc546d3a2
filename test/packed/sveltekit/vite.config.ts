import { sveltekit } from "@sveltejs/kit/vite"
import { defineConfig } from "vite"

/** The package to build with; `AUTH_SVELTEKIT` names an older one. The client for passkeys came with 1.1. */
const replacement = process.env["AUTH_SVELTEKIT"] ?? "@auth/sveltekit"

export default defineConfig({
  plugins: [sveltekit()],
  resolve: { alias: [{ find: /^@auth\/sveltekit(?=$|\/(?!webauthn$))/, replacement }] }
})
