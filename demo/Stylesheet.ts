/**
 * The one stylesheet of the demo, served by both servers. System fonts, no image, no request to another site.
 */

/** Text of `/demo.css`. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --ground: #f3f3f0; --card: #ffffff; --ink: #1b1b1f; --soft: #5b5b64; --line: #e4e4df; --sunk: #f4f4f1;
  --control: #85858e; --edge: #cfcfd4; --focus: #2459d6;
  --accent: #0f766e; --button: #0f766e; --button-hover: #0b5d57; --tint: #e3f1ee;
  --danger: #8f1f16; --danger-tint: #fdf0ee; --danger-line: #f0c8c2;
  --shadow: 0 1px 2px rgb(0 0 0 / .04), 0 16px 40px -20px rgb(0 0 0 / .14);
}
[data-house="provider"] { --accent: #4f46b8; --button: #4f46b8; --button-hover: #3d359a; --tint: #ebe9fa; }
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101013; --card: #19191d; --ink: #f1f1f3; --soft: #a9a9b3; --line: #2f2f36; --sunk: #24242a;
    --control: #75757f; --edge: #44444d; --focus: #8fb4ff;
    --accent: #5bcbbc; --button-hover: #128a81; --tint: #15302c;
    --danger: #ffb9b0; --danger-tint: #331a18; --danger-line: #5c2d29;
    --shadow: none;
  }
  [data-house="provider"] { --accent: #b3adf9; --button-hover: #6259cc; --tint: #262345; }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
}
.wide { width: min(68rem, 100% - 2rem); margin-inline: auto; }
.bar { border-bottom: 1px solid var(--line); background: var(--card); }
.bar .wide { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 3.75rem; }
.brand { display: inline-flex; align-items: center; gap: .55rem; color: var(--ink); font-weight: 650; letter-spacing: -.018em; text-decoration: none; white-space: nowrap; }
.mark { color: var(--accent); flex: none; }
.knob { fill: var(--card); }
.bar nav { margin-left: auto; font-size: .875rem; }
.bar nav a { padding: .6rem .4rem; }
.place { display: inline-flex; align-items: center; gap: .45rem; color: var(--soft); font-size: .8125rem; white-space: nowrap; }
.place i { font-style: normal; }
.place b { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums; }
.dot { width: .5rem; height: .5rem; border-radius: 50%; background: var(--accent); }
main { padding: clamp(1.75rem, 5vw, 3.5rem) 0 4rem; }
h1 { margin: 0 0 .6rem; font-size: clamp(1.8rem, 4.6vw, 2.75rem); line-height: 1.12; letter-spacing: -.025em; text-wrap: balance; overflow-wrap: anywhere; }
h2 { margin: 0 0 .9rem; font-size: 1.0625rem; letter-spacing: -.01em; }
p { margin: 0 0 1rem; }
.lead { max-width: 38rem; color: var(--soft); font-size: 1.0625rem; text-wrap: pretty; }
a { color: var(--accent); text-underline-offset: .18em; }
a:hover { color: var(--ink); }
.columns { display: grid; gap: 1.25rem; margin-top: 2rem; align-items: start; }
@media (min-width: 54rem) { .columns { grid-template-columns: minmax(0, 7fr) minmax(0, 5fr); } }
.stack { display: grid; gap: 1.25rem; min-width: 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 20px; padding: clamp(1.15rem, 3vw, 1.75rem); box-shadow: var(--shadow); min-width: 0; }
.narrow { width: min(26rem, 100%); margin: clamp(0rem, 5vh, 3rem) auto 0; }
.narrow h1 { font-size: 1.625rem; }
.row { display: flex; flex-wrap: wrap; gap: .65rem; align-items: center; }
.row > form { margin: 0; }
.button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .5rem 1.15rem;
  border: 1px solid transparent; border-radius: 10px; background: var(--button); color: #ffffff;
  font: inherit; font-weight: 550; line-height: 1.3; text-decoration: none; cursor: pointer; transition: background-color .12s, border-color .12s;
}
.button:hover { background: var(--button-hover); color: #ffffff; }
.button.quiet { background: var(--card); color: var(--ink); border-color: var(--edge); }
.button.quiet:hover { border-color: var(--control); background: var(--sunk); color: var(--ink); }
.button.small { min-height: 2.25rem; padding: .25rem .8rem; font-size: .875rem; }
[hidden] { display: none !important; }
.button.full { width: 100%; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
label { display: block; margin-bottom: .35rem; font-size: .875rem; font-weight: 600; }
input[type="text"] {
  width: 100%; min-height: 2.75rem; padding: .5rem .8rem; border: 1px solid var(--control); border-radius: 10px;
  background: var(--card); color: var(--ink); font: inherit;
}
input[type="text"]:focus-visible { outline-offset: 0; }
.field { flex: 1 1 12rem; min-width: 0; }
.hint { margin: .5rem 0 0; color: var(--soft); font-size: .875rem; }
.people { display: grid; gap: .65rem; }
.person { display: grid; grid-template-columns: auto 1fr auto; gap: .85rem; align-items: center; width: 100%; padding: .7rem .9rem; text-align: left;
  border: 1px solid var(--line); border-radius: 12px; background: var(--card); color: var(--ink); font: inherit; cursor: pointer; }
.person:hover { border-color: var(--accent); background: var(--tint); }
.face { display: grid; place-items: center; width: 2.5rem; height: 2.5rem; border-radius: 50%; background: var(--tint); color: var(--accent); font-weight: 700; }
.face.large { width: 3.25rem; height: 3.25rem; font-size: 1.25rem; flex: none; }
.person small { display: block; color: var(--soft); }
.arrow { color: var(--soft); }
.who { display: flex; align-items: center; gap: .9rem; margin-bottom: 1.2rem; min-width: 0; }
.who p { margin: 0; overflow-wrap: anywhere; }
.who small { color: var(--soft); }
dl { display: grid; grid-template-columns: auto 1fr; gap: .35rem 1.1rem; margin: 0 0 1.2rem; font-size: .9375rem; }
.card > dl:last-child { margin-bottom: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
pre, code { font-family: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .84em; }
pre { margin: 0; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--sunk); overflow-x: auto; line-height: 1.5; }
code { padding: .1em .35em; border-radius: 5px; background: var(--sunk); overflow-wrap: anywhere; }
.logins { width: 100%; border-collapse: collapse; font-size: .9375rem; }
.logins th { padding: 0 1rem .4rem 0; color: var(--soft); font-size: .8125rem; font-weight: 500; text-align: left; }
.logins td { padding: .45rem 1rem .45rem 0; border-top: 1px solid var(--line); }
.tries { margin: 0; padding: 0; list-style: none; counter-reset: try; }
.tries li { position: relative; padding: .75rem 0 .75rem 2.35rem; border-top: 1px solid var(--line); counter-increment: try; }
.tries li:first-child { border-top: 0; padding-top: 0; }
.tries li:last-child { padding-bottom: 0; }
.tries li::before { content: counter(try); position: absolute; left: 0; display: grid; place-items: center; width: 1.55rem; height: 1.55rem;
  border-radius: 50%; background: var(--tint); color: var(--accent); font-size: .8125rem; font-weight: 700; }
.tries b { display: block; font-weight: 600; }
.tries span { color: var(--soft); font-size: .9375rem; }
.ways { margin: 0 0 1.2rem; padding: 0; list-style: none; }
.ways li { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 3.25rem; padding: .45rem 0; border-top: 1px solid var(--line); }
.ways li:first-child { border-top: 0; padding-top: 0; }
.ways li > span { min-width: 0; overflow-wrap: anywhere; }
.ways b { display: block; font-weight: 600; }
.ways small { color: var(--soft); font-size: .875rem; }
.ways form { margin: 0; flex: none; }
.counts { margin-bottom: .6rem; }
.counts dd { font-variant-numeric: tabular-nums; font-weight: 600; }
.mark-yes { color: var(--accent); font-weight: 600; }
.mark-no { color: var(--danger); font-weight: 600; }
h2.later { margin-top: 1.6rem; }
.mail h2 { margin-bottom: 0; }
.mail .hint { margin: .15rem 0 .9rem; }
.letter { padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--sunk); font-size: .9375rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.hint:empty { display: none; }
.scopes { margin: 0 0 1.4rem; padding: 0; list-style: none; }
.scopes li { padding: .55rem 0 .55rem 1.6rem; border-top: 1px solid var(--line); position: relative; }
.scopes li::before { content: ""; position: absolute; left: .25rem; top: 1rem; width: .8rem; height: .4rem; border: solid var(--accent); border-width: 0 0 2px 2px; transform: rotate(-45deg); }
.notice { margin: 0 0 1.5rem; padding: .75rem 1rem; border-radius: 10px; background: var(--tint); color: var(--ink); }
.notice.bad { background: var(--danger-tint); border: 1px solid var(--danger-line); color: var(--danger); }
.or { display: flex; align-items: center; gap: .8rem; margin: 1.2rem 0; color: var(--soft); font-size: .8125rem; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
@media (max-width: 30rem) { .place i, .bar .dot { display: none; } .bar .wide { gap: .6rem; } .bar nav a { padding-inline: .1rem; } pre { white-space: pre-wrap; overflow-wrap: anywhere; } .row > .button, .row > form, .row > form > .button { width: 100%; } }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`
