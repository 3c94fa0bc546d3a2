/**
 * The logo of Okta, from simple-icons (CC0 1.0). Written by `npm run logos`; the mark belongs to its owner.
 *
 * @since 0.1.0
 */

/** The `d` of an SVG path in a 24 by 24 drawing. @category logos @since 0.1.0 */
export const Okta =
  "M12 0C5.389 0 0 5.35 0 12s5.35 12 12 12 12-5.35 12-12S18.611 0 12 0zm0 18c-3.325 0-6-2.675-6-6s2.675-6 6-6 6 2.675 6 6-2.675 6-6 6z"
