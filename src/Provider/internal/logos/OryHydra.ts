/**
 * The logo of Ory, from simple-icons (CC0 1.0). Written by `npm run logos`; the mark belongs to its owner.
 *
 * @since 0.1.0
 */

/** The `d` of an SVG path in a 24 by 24 drawing. @category logos @since 0.1.0 */
export const OryHydra = "M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12m-6-.75V3l6-3 6 3v2.25l-6-3zm12 13.5V21l-6 3-6-3v-2.25l6 3z"
