/**
 * Stops with one sentence when this Node cannot run the sources, which are TypeScript: `npm start` and `npm test` begin with it.
 *
 * `npm ci` brings Node 24 along on Linux, and `npm run` finds it. Other systems, and `npm ci --no-workspaces`, use the Node of the
 * machine.
 */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `npm ${process.env["npm_lifecycle_event"] === "prestart" ? "start" : "test"} needs Node 22.18 or newer; this is Node ${process.versions.node} (\`npm ci\` on Linux brings Node 24 along).`
  )
  process.exit(1)
}
