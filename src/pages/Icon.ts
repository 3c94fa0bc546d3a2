/**
 * The drawings that open a card when the application has no logo, and the one in front of a message. All decorative.
 */
import { constant, type Html } from "./Html.ts"

/** The sign-in icon: an arrow into a bracket. */
export const enter: Html = constant`<div class="tile"><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M13.5 3.5h4a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2h-4M4 12h10.5M10.5 8l4 4-4 4"/></svg></div>`

/** The sign-out icon: an arrow out of a bracket. */
export const leave: Html = constant`<div class="tile"><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M10.5 3.5h-4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2h4M9.5 12H20M16 8l4 4-4 4"/></svg></div>`

/** A closed envelope. */
export const envelope: Html = constant`<div class="tile"><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><rect x="3.5" y="5.5" width="17" height="13" rx="2.5"/><path d="M4.5 7.5l7.5 5.5 7.5-5.5"/></svg></div>`

/** A warning sign. */
export const warning: Html = constant`<div class="tile"><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M12 4.5l8.5 14.75h-17zM12 10.25v4M12 16.7v.01"/></svg></div>`

/** A circled exclamation mark, beside a message. */
export const alert: Html = constant`<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><circle cx="12" cy="12" r="8.5"/><path d="M12 8v4.5M12 15.75v.01"/></svg>`
