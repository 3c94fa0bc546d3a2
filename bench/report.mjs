/**
 * Turns results into tables, and publishes those of a whole run in docs/performance.md and README.md, between the
 * marks there.
 *
 *     node bench/report.mjs [--check]
 *
 * With `--check` it writes nothing, and fails when a page says something else than the results.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { growthBars, httpBar, linkBar, protectedBars, ratioBars, startBars, sweepBar, webCryptoBar } from "./bars.mjs"

const row = (cells) => `| ${cells.join(" | ")} |`
const table = (head, rows) =>
  [row(head), row(head.map((_, at) => (at === 0 ? "---" : "--:"))), ...rows.map(row)].join("\n")
const micros = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(1))
const times = (value) => `${value.toFixed(1)}×`
const spread = ({ high, low, median }) => `${times(median)} (${low.toFixed(1)}–${high.toFixed(1)})`

/** @typedef {{ readonly label: string, readonly measured: string, readonly bar: string, readonly isMissed: boolean }} Figure */

/** A ratio of processor times, which must be large. */
const ratioFigure =
  (bar) =>
  ({ error, label, ratios }) => ({
    label,
    measured: error === undefined ? spread(ratios["theirs/ours"]) : `FAILED: ${error.split("\n")[0]}`,
    bar: `≥ ${bar}`,
    isMissed: error !== undefined || ratios["theirs/ours"].median < bar
  })

/** A figure that must be small. */
const figure = (label, value, most) => ({ label, measured: value.toFixed(2), bar: `≤ ${most}`, isMissed: value > most })

/** The figures of each part. @type {Readonly<Record<string, (part: any) => ReadonlyArray<Figure>>>} */
const figures = {
  timed: (rows) => rows.map((result) => ratioFigure(ratioBars[result.id] ?? 0)(result)),
  timedWebCrypto: (rows) => rows.map(ratioFigure(webCryptoBar)),
  workerd: (rows) => rows.map(ratioFigure(webCryptoBar)),
  betterAuth: (rows) => rows.map(ratioFigure(linkBar)),
  http: (steps) =>
    steps.map(({ connections, ratio, servers }) => ({
      label: `${connections} connections, requests per second, ours / theirs`,
      measured: `${spread(ratio)}, ${servers.ours.errors} errors`,
      bar: `≥ ${httpBar}`,
      isMissed: ratio.median < httpBar || servers.ours.errors > 0
    })),
  growth: (rows) =>
    rows.map(({ cost, id, label }) => figure(label, cost.median, growthBars.find(([grown]) => grown === id)?.[2])),
  start: ({ effectApplication, firstAnswer }) => {
    const measured = {
      firstAnswer: firstAnswer.cpu.ratio,
      memory: firstAnswer.memory.ratio,
      effectApplication: effectApplication.cpu.difference
    }
    return Object.entries(startBars).map(([name, [label, most]]) => figure(label, measured[name], most))
  },
  protected: ({ decodes, decodesOfRoute }) => [
    figure("an endpoint of `HttpApi`, in openings of its token", decodes, protectedBars.endpoint),
    figure("a route of `HttpRouter`, in openings of its token", decodesOfRoute, protectedBars.route)
  ],
  sweep: ({ rows, sweeping }) => [
    figure(`longest stop of the event loop while ${rows} rows are swept, ms`, sweeping.longest, sweepBar)
  ]
}

const titles = {
  timed: "Processor time per request",
  timedWebCrypto: "Processor time per request, WebCrypto only",
  workerd: "Processor time per request, in workerd without node:crypto",
  betterAuth: "Beside better-auth, processor time",
  http: "Over HTTP, session with a small JWT",
  growth: "Processor time when something irrelevant grows",
  start: "Starting, in fresh processes",
  protected: "A protected route of an Effect application",
  sweep: "Sweeping"
}

/** The tables of one result file, and the figures that miss their bar. */
export const report = ({ date, machine, parts, quick }) => {
  const sections = Object.entries(parts).map(([part, result]) => ({
    title: titles[part],
    rows:
      result.error === undefined
        ? figures[part](result)
        : [{ label: titles[part], measured: `FAILED: ${result.error.split("\n")[0]}`, bar: "", isMissed: true }]
  }))
  const text = sections.map(
    ({ rows, title }) =>
      `### ${title}\n\n${table(
        ["figure", "measured", "must"],
        rows.map(({ bar, isMissed, label, measured }) => [label, `${measured}${isMissed ? " MISSED" : ""}`, bar])
      )}`
  )
  const head = `## Node ${machine.node}\n\n${machine.cpu}, ${machine.cores} cores; ${date}${quick ? "; quick run, not for quoting" : ""}`
  return {
    text: [head, ...text].join("\n\n"),
    missed: sections.flatMap(({ rows }) => rows.filter((row) => row.isMissed))
  }
}

const source = ({ date, machine }) =>
  `\`npm run bench\` on Node ${machine.node.slice(1)}, ${machine.cpu}, ${date.slice(0, 10)}`

/** The table of docs/performance.md: each action, its ratio and its bar. */
const ratios = (results) =>
  [
    table(
      ["action", "effect-doorman, µs", "`@auth/core`, µs", "ratio (quartiles)", "must"],
      results.parts.timed.map(({ contenders: { ours, theirs }, id, label, ratios }) => [
        label,
        micros(ours.cpu),
        micros(theirs.cpu),
        spread(ratios["theirs/ours"]),
        ratioBars[id]
      ])
    ),
    source(results)
  ].join("\n\n")

/** The rows of the README: the actions that visitors of a site wait for. */
const summaryRows = ["session-small", "get-token-small", "session-database", "signin-1", "signout"]

const summary = (results) =>
  [
    table(
      ["processor time per request", "effect-doorman", "`@auth/core` 0.41.3", "ratio"],
      results.parts.timed
        .filter(({ id }) => summaryRows.includes(id))
        .map(({ contenders: { ours, theirs }, label, ratios }) => [
          label,
          `${micros(ours.cpu)} µs`,
          `${micros(theirs.cpu)} µs`,
          times(ratios["theirs/ours"].median)
        ])
    ),
    `${source(results)}; [all figures](docs/performance.md)`
  ].join("\n\n")

/** Writes the newest results into the pages, or compares. @param {boolean} isCheck */
export const publish = (isCheck) => {
  const root = new URL("../", import.meta.url)
  const [newest] = readdirSync(new URL("bench/results/", root))
    .filter((name) => /^v[\d.]+\.json$/.test(name))
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
  const results = JSON.parse(readFileSync(new URL(`bench/results/${newest}`, root), "utf8"))
  const pages = { "docs/performance.md": ratios, "README.md": summary }
  for (const [page, write] of Object.entries(pages)) {
    const file = new URL(page, root)
    const before = readFileSync(file, "utf8")
    const after = before.replace(
      /(<!-- benchmark -->\n)[^]*(\n<!-- end of benchmark -->)/,
      (_, start, end) => `${start}\n${write(results)}\n${end}`
    )
    if (after === before) continue
    if (isCheck) {
      console.error(`${page} differs from bench/results: run \`node bench/report.mjs\``)
      process.exitCode = 1
    } else writeFileSync(file, after)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) publish(process.argv.includes("--check"))
