/**
 * ESLint's rule `no-restricted-syntax`, which oxlint lacks: each option is a selector of nodes that are an error, and why.
 */
/** @typedef {{ readonly selector: string, readonly message: string }} Restriction */

/** @type {import("oxlint").Plugin} */
export default {
  meta: { name: "restricted" },
  rules: {
    syntax: {
      meta: { schema: false },
      create: (context) =>
        Object.fromEntries(
          /** @type {ReadonlyArray<Restriction>} */ (/** @type {unknown} */ (context.options)).map(
            ({ message, selector }) => [
              selector,
              (/** @type {import("oxlint").ESTree.Node} */ node) => context.report({ message, node })
            ]
          )
        )
    }
  }
}
