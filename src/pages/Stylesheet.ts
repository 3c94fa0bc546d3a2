/**
 * The stylesheet of the built-in pages: one constant text, so that its CSP hash is computed once.
 *
 * Nothing of a request or a configuration is ever written into it; a theme comes as a second, tiny stylesheet of custom
 * properties (see `Theme.ts`).
 */
// Every pair of text and surface reaches 4.5 : 1 in both schemes, the edge of an input 3 : 1 (WCAG 2.2, 1.4.3 and 1.4.11).
const light = `
  --color-background:#f3f3f0;
  --color-background-card:#ffffff;
  --color-background-hover:#f4f4f1;
  --color-text:#1b1b1f;
  --color-info:#5b5b64;
  --color-separator:#e4e4df;
  --color-control-border:#85858e;
  --color-button-border:#cfcfd4;
  --color-primary:#1f1f26;
  --color-primary-hover:#383842;
  --color-primary-text:#ffffff;
  --color-link:#1f1f26;
  --color-focus:#2459d6;
  --color-error:#fdf0ee;
  --color-error-text:#8f1f16;
  --color-error-border:#f0c8c2;
  --color-notice:#eef3fd;
  --color-notice-text:#1f4690;
  --color-notice-border:#c9d8f5;
`
const dark = `
  --color-background:#101013;
  --color-background-card:#19191d;
  --color-background-hover:#24242a;
  --color-text:#f1f1f3;
  --color-info:#a9a9b3;
  --color-separator:#2f2f36;
  --color-control-border:#75757f;
  --color-button-border:#44444d;
  --color-primary:#f1f1f3;
  --color-primary-hover:#d6d6dc;
  --color-primary-text:#19191d;
  --color-link:#f1f1f3;
  --color-focus:#8fb4ff;
  --color-error:#331a18;
  --color-error-text:#ffb9b0;
  --color-error-border:#5c2d29;
  --color-notice:#182338;
  --color-notice-text:#b3ccff;
  --color-notice-border:#2f4468;
`

const source = `
*,*::before,*::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body {
  ${light}
  --border-radius: 10px;
  color-scheme: light;
  margin: 0;
  background: var(--color-background);
  color: var(--color-text);
  font: 400 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Open Sans", "Helvetica Neue", Arial, sans-serif;
  -webkit-font-smoothing: antialiased;
  overflow-wrap: anywhere;
}
@media (prefers-color-scheme: dark) { body.__next-auth-theme-auto { ${dark} color-scheme: dark } }
body.__next-auth-theme-dark { ${dark} color-scheme: dark }

.page { min-height: 100vh; min-height: 100svh; display: grid; place-items: center; padding: 2rem 1rem }
.page > div { width: 100%; max-width: 26rem }
.card {
  background: var(--color-background-card);
  border: 1px solid var(--color-separator);
  border-radius: 20px;
  padding: 2.25rem 2.25rem 2rem;
  box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 16px 40px -20px rgb(0 0 0 / .14);
}
.card > :first-child { margin-top: 0 }
.card > :last-child { margin-bottom: 0 }

.tile {
  display: grid; place-items: center; width: 44px; height: 44px; margin: 0 0 1.25rem;
  border: 1px solid var(--color-separator); border-radius: 13px;
  background: var(--color-background-hover); color: var(--color-text);
}
.tile svg, .card .error svg { fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round }
.tile svg { width: 22px; height: 22px }
.logo { display: block; max-width: 12rem; max-height: 3.5rem; margin: 0 0 1.25rem }

h1 { margin: 0 0 .25rem; font-size: 1.625rem; line-height: 1.25; font-weight: 650; letter-spacing: -.018em; text-wrap: balance }
h1 + .message { margin-top: .625rem }
p { margin: 0 0 1rem; text-wrap: pretty }
.message, .lede { color: var(--color-info) }
.lede { margin: 0 0 1.75rem }
.lede bdi, .message strong { color: var(--color-text); font-weight: 550 }
bdi { unicode-bidi: isolate }

.card .error {
  display: flex; gap: .625rem; margin: 0 0 1.5rem; padding: .75rem .875rem;
  border: 1px solid var(--color-error-border); border-radius: var(--border-radius);
  background: var(--color-error); color: var(--color-error-text); font-size: .9375rem; line-height: 1.45;
}
.card .error.notice { border-color: var(--color-notice-border); background: var(--color-notice); color: var(--color-notice-text) }
.card .error p { margin: 0 }
.card .error svg { flex: none; width: 20px; height: 20px; margin-top: .0625rem }

form { margin: 0 }
.providers { display: grid; gap: .625rem }
.provider { min-width: 0 }
.button, input {
  width: 100%; min-height: 3rem; margin: 0; border-radius: var(--border-radius);
  background: var(--color-background-card); color: var(--color-text); font: inherit; line-height: 1.3;
}
.button {
  display: flex; align-items: center; justify-content: center; gap: .75rem;
  padding: .625rem 1rem; border: 1px solid var(--color-button-border);
  font-weight: 550; text-align: center; text-decoration: none; cursor: pointer;
  transition: background-color .12s ease-out, border-color .12s ease-out;
}
.button:hover { background: var(--color-background-hover); border-color: var(--color-control-border) }
.button:active { background: var(--color-separator) }
.button > svg, .button > img { flex: none; width: 24px; height: 24px }
.button > img { object-fit: contain }
.providers .button { justify-content: flex-start; text-align: start; padding-inline: .75rem }
.button.primary {
  border-color: var(--button-edge, var(--color-primary)); background: var(--brand-color, var(--color-primary));
  color: var(--button-text-color, var(--color-primary-text));
}
.button.primary:hover { border-color: var(--color-text); background: var(--brand-color, var(--color-primary-hover)) }
:focus-visible { outline: 3px solid var(--color-focus); outline-offset: 2px }

.compact { grid-template-columns: 1fr 1fr }
.compact form, .compact .button { height: 100% }
.compact .verb { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }

.separator { display: flex; align-items: center; gap: .875rem; margin: 1.5rem 0; color: var(--color-info); font-size: .875rem; line-height: 1 }
.separator::before, .separator::after { content: ""; flex: 1; height: 1px; background: var(--color-separator) }

.field { margin: 0 0 1rem }
label { display: block; margin: 0 0 .375rem; font-size: .875rem; font-weight: 550; line-height: 1.4 }
input { display: block; padding: .625rem .875rem; border: 1px solid var(--color-control-border) }
input::placeholder { color: var(--color-info); opacity: 1 }
input:hover { border-color: var(--color-text) }
input:focus-visible { outline-offset: 0; border-color: var(--color-focus) }
input[aria-invalid="true"] { border-color: var(--color-error-text) }
input[type="checkbox"] { display: inline-block; width: 1.25rem; min-height: 1.25rem; height: 1.25rem; margin: 0; padding: 0; accent-color: var(--color-primary) }
input[type="color"], input[type="range"] { padding: .25rem }
.check { display: flex; align-items: center; gap: .625rem; min-height: 1.75rem }
.check label { margin: 0; font-weight: 400; font-size: .9375rem }

.lede + form .actions { margin-top: 0 }
.actions { display: grid; gap: .625rem; margin: 1.75rem 0 0 }
.reference { margin: 1.25rem 0 0; color: var(--color-info); font-size: .8125rem }
.reference code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .9em; user-select: all }
.footer { margin: 1.25rem 0 0; text-align: center; font-size: .875rem; color: var(--color-info) }
a { color: var(--color-link); text-underline-offset: .2em; text-decoration-thickness: 1px }
.footer .site { display: inline-block; padding: .375rem .5rem; border-radius: 6px; color: var(--color-info) }
.footer .site:hover { color: var(--color-text) }

@media (max-width: 30rem) {
  body { background: var(--color-background-card) }
  .page { place-items: start center; padding: 2.5rem 1.5rem 1.5rem }
  .card { padding: 0; border: 0; border-radius: 0; box-shadow: none; background: none }
  .footer { margin-top: 2rem }
}
@media (max-width: 22rem) { .page { padding-inline: 1rem } .compact { grid-template-columns: 1fr } }
@media (prefers-contrast: more) { .card, .tile, .button, input { border-color: currentColor } }
@media (prefers-reduced-motion: reduce) { * { transition: none !important } }
@media (forced-colors: active) { .button.primary { border-width: 2px } .separator::before, .separator::after { background: CanvasText } }
@media print { .card { border: 0; box-shadow: none } }
`

/** The stylesheet, without the white space that only its source needs. */
export const stylesheet: string = source
  .replace(/\s*\n\s*/g, "\n")
  .replace(/\n/g, "")
  .replace(/\s*([{};])\s*/g, "$1")
  .replace(/;}/g, "}")
  .replace(/([\w-]): /g, "$1:")
