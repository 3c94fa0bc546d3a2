/**
 * Members of a preset that follow from its options, worked out again once the environment has filled these.
 *
 * @since 0.1.0
 */
import { isPlainObject, type Members } from "../../internal/Merge.ts"

/**
 * The options that a factory was given. Without any, they are of the default type of `Factory`, which needs no member.
 *
 * @internal
 */
export const givenOptions = <Given extends object>(options: Given | undefined): Given => options ?? ({} as Given)

/**
 * The options as a preset reads them, without what is read later, such as a `Config` or a `Redacted`: the library asks the
 * preset again when it has revealed them.
 *
 * @internal
 */
export const plainOptions = (options: object): Members =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => {
      if (isPlainObject(value)) return [[name, plainOptions(value)]]
      return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof URL)
        ? []
        : [[name, value]]
    })
  )

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
