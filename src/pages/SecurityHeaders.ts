/**
 * The response headers of every built-in page: the Content Security Policy and its companions.
 *
 * It decides what a browser may do with a page. It says nothing about `Strict-Transport-Security`: that header binds a
 * whole host, so it is the application's to send.
 */
import { digest } from "../crypto/Sha256.ts"

/** The needs of one page beyond the common policy. */
export interface PagePolicy {
  /** CSP hash sources of the page's inline stylesheets. */
  readonly styles: ReadonlyArray<string>
  /** CSP hash sources of the page's inline scripts; none on most pages, which then run no script at all. */
  readonly scripts?: ReadonlyArray<string> | undefined
  /** CSP sources that a script may connect to; none on most pages. */
  readonly connections?: ReadonlyArray<string> | undefined
  /** CSP sources of images, besides the application itself. */
  readonly images: ReadonlyArray<string>
  /** CSP sources a form submission may reach, redirects included; empty for a page without forms. */
  readonly formActions: ReadonlyArray<string>
}

const fixedHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "private, no-cache, no-store",
  expires: "0",
  pragma: "no-cache",
  vary: "Cookie",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Not `no-referrer`: under that policy a browser sends `Origin: null` with a form POST to its own site (Fetch,
  // section 3.1), and the check of the Origin header would refuse honest sign-ins.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()"
} as const

const sources = (list: ReadonlyArray<string>): string => [...new Set(list)].join(" ")

const connectionSources = (connections: ReadonlyArray<string>): string =>
  connections.length === 0 ? "" : `connect-src ${sources(connections)}; `

const scriptSources = (scripts: ReadonlyArray<string>): string =>
  scripts.length === 0 ? "" : `script-src ${sources(scripts)}; `

/** The headers of a page with the given needs; names in lower case. */
export const securityHeaders = (policy: PagePolicy): Readonly<Record<string, string>> => ({
  ...fixedHeaders,
  // The application itself may always serve an image: its icon is asked for by the browser on its own account.
  "content-security-policy": `default-src 'none'; ${scriptSources(policy.scripts ?? [])}${connectionSources(policy.connections ?? [])}style-src ${sources(policy.styles)}; img-src ${sources(
    ["'self'", ...policy.images]
  )}; form-action ${
    policy.formActions.length === 0 ? "'none'" : sources(policy.formActions)
  }; frame-ancestors 'none'; base-uri 'none'`
})

// A process knows one stylesheet and one theme for each of its configurations. Past this bound a hash is computed anew.
const keptHashes = 64
const hashes = new Map<string, string>()

/** The CSP source expression that allows exactly this inline stylesheet, or this inline script. */
export const styleHash = (css: string): string => {
  const cached = hashes.get(css)
  if (cached !== undefined) return cached
  const hash = `'sha256-${btoa(String.fromCharCode(...digest(new TextEncoder().encode(css))))}'`
  if (hashes.size < keptHashes) hashes.set(css, hash)
  return hash
}
