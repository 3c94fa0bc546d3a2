/**
 * Starts the demo, on a Node that runs TypeScript. `npm start` brings one along.
 */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`
  The demo is TypeScript and needs Node 22.18 or newer; this is Node ${process.versions.node}.

    With the Node of this repository   npm ci && npm start
`)
  process.exit(1)
}
await import("./server.ts")
