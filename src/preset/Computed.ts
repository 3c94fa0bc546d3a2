/**
 * Members of a preset that follow from its options, worked out again once the environment has filled these.
 *
 * @since 0.1.0
 */

/**
 * The function of the options under the marker `fromOptions`. It answers the members that an object still has as its preset
 * made them (`own`): what an application wrote over them stays.
 *
 * @internal
 */
export const computing =
  <O>(own: object, compute: (options: O) => object) =>
  (options: O, given: object = own): object =>
    Object.fromEntries(
      Object.entries(compute(options)).filter(([name]) => Object.is(Reflect.get(given, name), Reflect.get(own, name)))
    )
