/**
 * Stops with a clear sentence when the scripts run on a Node that the test runner does not support.
 *
 * `npm run` and `npx` find Node 24 in node_modules/.bin by themselves; a runner typed into a shell does not.
 */
const major = Number.parseInt(process.versions.node, 10)
if (major < 22) {
  console.error(
    `Node ${process.versions.node} is too old for the test runner (22 or newer). Use \`npm test\` after \`npm ci\`.`
  )
  process.exit(1)
}
