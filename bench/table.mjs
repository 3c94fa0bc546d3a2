/** Turns the results of one Node version into Markdown tables. */
import {
  allocationBars,
  bars,
  betterAuthBars,
  bundleBars,
  filesBar,
  heapBar,
  httpBar,
  protectedBar,
  revocationBar,
  scalingBars,
  startBars,
  stepBars,
  sweepBar,
  verdictAbove,
  verdictUnder
} from "./bars.mjs"
import { startFigures } from "./verdicts.mjs"

const times = (value) => (value === undefined || Number.isNaN(value) ? "–" : `${value.toFixed(1)}×`)
const spread = (ratio) =>
  ratio === undefined ? "–" : `${times(ratio.median)} (${ratio.low.toFixed(1)}–${ratio.high.toFixed(1)})`
const micros = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(1))
const row = (cells) => `| ${cells.join(" | ")} |`
const table = (head, rows) =>
  [row(head), row(head.map((_, i) => (i === 0 ? "---" : "--:"))), ...rows.map(row)].join("\n")

const noise = (result) => `${result.rounds.kept}/${result.rounds.tried}${result.rounds.calm ? "" : " noisy"}`

const timedRow = (result, bar) => {
  if (result.error !== undefined) return [result.label, `FAILED: ${result.error.split("\n")[0]}`, ...Array(10).fill("")]
  const { ours, theirs, floor } = result.contenders
  const ratio = result.ratios["theirs/ours"]
  return [
    result.label,
    micros(ours.cpu),
    micros(theirs.cpu),
    micros(floor.cpu),
    spread(ratio),
    bar === undefined ? "–" : `${bar.must} / ${bar.goal}`,
    bar === undefined ? "–" : verdictAbove(ratio.median, bar),
    times(result.ratios["ours/floor"].median),
    bar?.floor === undefined ? "–" : atMost(bar.floor, result.ratios["ours/floor"].median).join(" "),
    ours.opsPerSecond.toFixed(0),
    `${micros(ours.p50)} / ${micros(ours.p99)}`,
    noise(result)
  ]
}

const timedHead = [
  "action",
  "ours µs",
  "theirs µs",
  "floor µs",
  "ratio (quartiles)",
  "must / goal",
  "verdict",
  "ours / floor",
  "at most (must / goal)",
  "ours ops/s",
  "ours p50 / p99 µs",
  "rounds"
]

const timedTable = (rows, barOf) =>
  table(
    timedHead,
    rows.map((result) => timedRow(result, barOf(result.id)))
  )

const workerdTable = (rows) =>
  table(
    ["action", "ours µs", "theirs µs", "ratio (quartiles)", "rounds"],
    rows.map(({ contenders, error, label, ratios, rounds }) =>
      error === undefined
        ? [label, micros(contenders.ours.cpu), micros(contenders.theirs.cpu), spread(ratios["theirs/ours"]), rounds]
        : [label, `FAILED: ${error.split("\n")[0]}`, "", "", ""]
    )
  )

const httpTable = (steps) =>
  table(
    [
      "connections",
      "server",
      "requests/s",
      "p50 ms",
      "p99 ms",
      "CPU µs",
      "loop delay p99 ms",
      "memory MB",
      "errors",
      "ours / theirs"
    ],
    steps.flatMap(({ connections, ratio, servers }) =>
      Object.entries(servers).map(([name, { cpu, delayP99, errors, p50, p99, perSecond, rss }]) => [
        connections,
        name,
        perSecond.toFixed(0),
        p50.toFixed(1),
        p99.toFixed(1),
        micros(cpu),
        delayP99.toFixed(1),
        rss.toFixed(0),
        errors,
        name === "ours" ? `${spread(ratio)} ${verdictAbove(ratio.median, httpBar)}` : ""
      ])
    )
  ) + `\n\nRequests per second, ours / theirs: bar ${httpBar.must} / ${httpBar.goal}.`

const startLabels = {
  firstAnswer: "first answer of the function entry, processor time, ours / theirs",
  memory: "memory after it, ours / theirs",
  preset: "import of the entry with one preset, processor time, ours / theirs",
  jwt: "import of `/jwt`, processor time, ours / theirs",
  effectApplication: "first answer of an Effect application, milliseconds above the same without the library"
}

const atMost = ({ must, goal }, value) => [`${must} / ${goal}`, verdictUnder(value, { must, goal })]

const startTable = (part) =>
  table(
    ["what starts", "measured", "at most (must / goal)", "verdict"],
    [
      ...Object.entries(startFigures(part)).map(([name, value]) => [
        startLabels[name],
        value.toFixed(2),
        ...atMost(startBars[name], value)
      ]),
      ...(part.files === undefined
        ? []
        : [["files that the first answer of the function entry loads", part.files, ...atMost(filesBar, part.files)]])
    ]
  )

const betterAuthTable = (rows) =>
  table(
    ["action", "ours µs", "theirs µs", "ratio (quartiles)", "must / goal", "verdict", "rounds"],
    rows.map((result) => {
      if (result.error !== undefined) return [result.label, `FAILED: ${result.error}`, ...Array(5).fill("")]
      const { must, goal } = betterAuthBars[result.id]
      const { ours, theirs } = result.contenders
      const ratio = result.ratios["theirs/ours"]
      return [
        result.label,
        micros(ours.cpu),
        micros(theirs.cpu),
        spread(ratio),
        `${must} / ${goal}`,
        verdictAbove(ratio.median, { must, goal }),
        noise(result)
      ]
    })
  )

const sweepTable = ({ idle, rows, seconds, sweeping }) =>
  table(
    ["the event loop", "longest stop, ms", "99.9th percentile, ms", "most processor time, ms", "at most", "verdict"],
    [
      [
        `while ${rows} expired sessions are removed from SQLite, in ${seconds} s`,
        sweeping.longest,
        sweeping.p999,
        sweeping.longestBusy,
        sweepBar.must,
        verdictUnder(sweeping.longest, sweepBar)
      ],
      ["two seconds before, with nothing to do", idle.longest, idle.p999, idle.longestBusy, "", ""]
    ]
  )

const protectedTable = ({ decodes, decodesOfRoute }) =>
  table(
    ["what a session adds", "openings of its token", "at most (must / goal)", "verdict"],
    Object.entries({ "an endpoint of `HttpApi`": decodes, "a route of `HttpRouter`": decodesOfRoute }).map(
      ([label, value]) => [label, value.toFixed(1), ...atMost(protectedBar, value)]
    )
  )

const revocationTable = ({ askedToOff, onToOff }) =>
  table(
    ["`session.revocation`", "of a read without it", "at most (must / goal)", "verdict"],
    [
      ["on, 60 seconds between two checks", onToOff.toFixed(2), ...atMost(revocationBar, onToOff)],
      ["each read asks the shared state", askedToOff.toFixed(2), "", ""]
    ]
  )

export const bundleTable = (part) =>
  table(
    ["bundle, minified", "kB of gzip", "at most", "verdict"],
    Object.entries(bundleBars).map(([id, bar]) => [
      bar.label,
      part[id].toFixed(1),
      bar.must,
      part[id] <= bar.must ? "must" : "below"
    ])
  )

const stepTable = (part) =>
  table(
    ["action", "steps of the run loop", "at most", "verdict"],
    Object.entries(stepBars).map(([id, most]) => {
      const steps = part[id]?.steps ?? Number.NaN
      return [id, steps, most, steps <= most ? "must" : "below"]
    })
  )

const allocationTable = (allocation) =>
  table(
    ["action", "ours bytes", "theirs bytes", "floor bytes", "theirs / ours", "must / goal", "verdict"],
    Object.entries(allocationBars)
      .filter(([id]) => allocation[id] !== undefined)
      .map(([id, bar]) => {
        const { label, ours, theirs, floor, ratio, error } = allocation[id]
        if (error !== undefined) return [label, `FAILED: ${error}`, "", "", "", "", ""]
        return [label, ours, theirs, floor ?? "–", times(ratio), `${bar.must} / ${bar.goal}`, verdictAbove(ratio, bar)]
      })
  )

const scalingTable = (allocation) =>
  table(
    ["what grows", "bytes", "baseline bytes", "ratio", "at most (must / goal)", "verdict"],
    scalingBars
      .filter(([id, baseline]) => allocation[id] !== undefined && allocation[baseline] !== undefined)
      .map(([id, baseline, bar]) => {
        const ratio = allocation[id].ours / allocation[baseline].ours
        return [
          allocation[id].label,
          allocation[id].ours,
          allocation[baseline].ours,
          `${ratio.toFixed(2)}×`,
          `${bar.must} / ${bar.goal}`,
          verdictUnder(ratio, bar)
        ]
      })
  )

const barOfScaling = (id) => scalingBars.find(([grown]) => grown === id)?.[2]

const scalingTimeTable = (rows) =>
  table(
    ["what grows", "ratio (quartiles)", "at most (must / goal)", "verdict", "rounds"],
    rows.map((result) => {
      const bar = barOfScaling(result.id)
      const { median, low, high } = result.cost
      return [
        result.label,
        `${median.toFixed(2)}× (${low.toFixed(2)}–${high.toFixed(2)})`,
        ...(bar === undefined ? ["–", "–"] : atMost(bar, median)),
        noise(result)
      ]
    })
  )

const countTable = (counts) =>
  table(
    ["action", "WebCrypto calls", "key derivations", "reads of provider objects", "requests to the provider"],
    Object.entries(counts).map(([id, entry]) =>
      entry.error !== undefined
        ? [id, `FAILED: ${entry.error}`, "", "", ""]
        : [
            id,
            entry.webCrypto,
            entry.derivations,
            entry.providerReads,
            Object.entries(entry.requests)
              .filter(([, value]) => value > 0)
              .map(([name, value]) => `${name} ${value}`)
              .join(", ") || 0
          ]
    )
  )

const section = (title, part, render) => {
  if (part === undefined) return []
  return [`### ${title}`, part.error === undefined ? render(part) : `FAILED: ${part.error.split("\n")[0]}`]
}

/** The whole report of one result file. */
export const report = (results) => {
  const { machine, parts } = results
  return [
    `## Node ${machine.node}`,
    `${machine.cpu}, ${machine.cores} cores, ${machine.memory}, ${machine.platform}; ${results.date}${results.quick ? "; quick run, not for quoting" : ""}`,
    ...section("Processor time per request, node:crypto", parts.timed, (rows) =>
      timedTable(rows, (id) => bars.get(id))
    ),
    ...section("Processor time per request, WebCrypto only", parts.timedWebCrypto, (rows) =>
      timedTable(rows, (id) => bars.get(id)?.web)
    ),
    ...section("Processor time per request, in workerd without node:crypto", parts.workerd, workerdTable),
    ...section("What irrelevant growth costs (processor time)", parts.scaling, scalingTimeTable),
    ...section("Over HTTP, session with a small JWT", parts.http, httpTable),
    ...section("Starting, in fresh processes", parts.start, startTable),
    ...section("A protected route of an Effect application", parts.protected, protectedTable),
    ...section("Revocation of token sessions", parts.revocation, revocationTable),
    ...section("Beside better-auth 1.7, processor time", parts.betterAuth, betterAuthTable),
    ...section("Sweeping", parts.sweep, sweepTable),
    ...section("Bytes allocated per action", parts.allocation, allocationTable),
    ...section("What irrelevant growth costs (bytes allocated)", parts.allocation, scalingTable),
    ...section("Calls per request once warm, node:crypto", parts.counts, countTable),
    ...section("Calls per request once warm, WebCrypto only", parts.countsWebCrypto, countTable),
    ...section("Bundles", parts.bundles, bundleTable),
    ...section("Steps of Effect's run loop per request", parts.steps, stepTable),
    ...section(
      "Heap",
      parts.heap,
      ({ requests, bytesPerRequest }) =>
        `${bytesPerRequest.toFixed(2)} bytes per request kept over ${requests} requests, each with new values; at most ${heapBar.must} (must), ${heapBar.goal} (goal): ${verdictUnder(bytesPerRequest, heapBar)}`
    )
  ]
    .filter((text) => text !== "")
    .join("\n\n")
}

/** The measured table of docs/performance.md: each action, its ratio and the ratio that it must reach. */
export const ratios = ({ date, machine, parts }) =>
  [
    table(
      ["action", "effect-doorman, µs", "`@auth/core`, µs", "ratio (quartiles)", "must / goal", "verdict"],
      parts.timed.map(({ contenders: { ours, theirs }, id, label, ratios }) => {
        const bar = bars.get(id)
        const ratio = ratios["theirs/ours"]
        const verdict = verdictAbove(ratio.median, bar)
        return [label, micros(ours.cpu), micros(theirs.cpu), spread(ratio), `${bar.must} / ${bar.goal}`, verdict]
      })
    ),
    `\`npm run bench\` on Node ${machine.node.slice(1)}, ${machine.cpu}, ${date.slice(0, 10)}`
  ].join("\n\n")

/** The rows of the README: the actions that visitors of a site wait for. */
const summaryRows = ["session-small", "get-token-small", "session-database", "signin-1", "signout"]

/** The table of the README, of the results of one Node version. */
export const summary = ({ date, machine, parts }) =>
  [
    table(
      ["processor time per request", "effect-doorman", "`@auth/core` 0.41.3", "ratio"],
      parts.timed
        .filter(({ id }) => summaryRows.includes(id))
        .map(({ label, contenders: { ours, theirs }, ratios }) => [
          label,
          `${micros(ours.cpu)} µs`,
          `${micros(theirs.cpu)} µs`,
          times(ratios["theirs/ours"].median)
        ])
    ),
    `\`npm run bench\` on Node ${machine.node.slice(1)}, ${machine.cpu}, ${date.slice(0, 10)}; [all figures](docs/performance.md)`
  ].join("\n\n")

/** Requests per second in the busiest hour of 10⁴, 10⁶ and 10⁸ sessions, as docs/scale.md computes them. */
const busyHours = [35, 3500, 350_000]

/** How many cores read the sessions of the busiest hour, for docs/scale.md. */
export const busyCores = ({ date, machine, parts }) =>
  [
    table(
      [
        "cores that read sessions",
        ...busyHours.map((requests) => `${requests.toLocaleString("en")} requests per second`)
      ],
      parts.timed
        .filter(({ id }) => ["session-small", "session-database"].includes(id))
        .map(({ label, contenders: { ours } }) => [
          label,
          ...busyHours.map((requests) => ((requests * ours.cpu) / 1_000_000).toPrecision(2))
        ])
    ),
    `\`npm run bench\` on Node ${machine.node.slice(1)}, ${machine.cpu}, ${date.slice(0, 10)}`
  ].join("\n\n")
