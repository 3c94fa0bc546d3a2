/**
 * The logo of Dropbox, from simple-icons (CC0 1.0). Written by `npm run logos`; the mark belongs to its owner.
 *
 * @since 0.1.0
 */

/** The `d` of an SVG path in a 24 by 24 drawing. @category logos @since 0.1.0 */
export const Dropbox =
  "M6 1.807L0 5.629l6 3.822 6.001-3.822L6 1.807zM18 1.807l-6 3.822 6 3.822 6-3.822-6-3.822zM0 13.274l6 3.822 6.001-3.822L6 9.452l-6 3.822zM18 9.452l-6 3.822 6 3.822 6-3.822-6-3.822zM6 18.371l6.001 3.822 6-3.822-6-3.822L6 18.371z"
