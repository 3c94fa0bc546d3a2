/**
 * The logo of Naver, from simple-icons (CC0 1.0). Written by `npm run logos`; the mark belongs to its owner.
 *
 * @since 0.1.0
 */

/** The `d` of an SVG path in a 24 by 24 drawing. @category logos @since 0.1.0 */
export const Naver = "M16.273 12.845 7.376 0H0v24h7.726V11.156L16.624 24H24V0h-7.727v12.845Z"
