/**
 * The stylesheet of the built-in pages: one constant text, so that its CSP hash is computed once.
 *
 * Nothing of a request or a configuration is ever written into it; a theme comes as a second, tiny stylesheet of custom
 * properties (see `Theme.ts`).
 */
import { palette } from "./Palette.ts"

const properties = (colors: typeof palette.light): string =>
  `--color-background:${colors.background};--color-background-card:${colors.card};--color-background-hover:${colors.hover};` +
  `--color-text:${colors.text};--color-info:${colors.info};--color-separator:${colors.separator};` +
  `--color-control-border:${colors.controlBorder};--color-button-border:${colors.buttonBorder};--color-primary:${colors.primary};--color-primary-hover:${colors.primaryHover};` +
  `--color-primary-text:${colors.onPrimary};--color-link:${colors.link};--color-focus:${colors.focus};` +
  `--color-error:${colors.error};--color-error-text:${colors.errorText};--color-error-border:${colors.errorBorder};` +
  `--color-notice:${colors.notice};--color-notice-text:${colors.noticeText};--color-notice-border:${colors.noticeBorder}`

const source = `
*,*::before,*::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body {
  ${properties(palette.light)};
  --border-radius: 10px;
  color-scheme: light;
  margin: 0;
  background: var(--color-background);
  color: var(--color-text);
  font: 400 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Open Sans", "Helvetica Neue", Arial, sans-serif;
  -webkit-font-smoothing: antialiased;
  overflow-wrap: anywhere;
}
@media (prefers-color-scheme: dark) { body.__next-auth-theme-auto { ${properties(palette.dark)}; color-scheme: dark } }
body.__next-auth-theme-dark { ${properties(palette.dark)}; color-scheme: dark }

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
