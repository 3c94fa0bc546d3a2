/**
 * The schema that a class of errors is, with its types written out.
 *
 * Types that `Schema.Class` infers from fields cost the compiler 450 instantiations for each class that an application reaches,
 * and 2,500 for each that is an error of an endpoint.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

/** The static side of a class of errors, without its constructor. `Input` is what the constructor takes. */
export interface ErrorSchema<Self, Encoded, Input> extends Schema.BottomLazyWithoutNew<
  SchemaAST.Declaration,
  Schema.Codec<Self, Encoded>,
  readonly [Schema.Constraint]
> {
  readonly Type: Self
  readonly Encoded: Encoded
  readonly DecodingServices: never
  readonly EncodingServices: never
  readonly "~type.make.in": Input
  readonly "~type.make": Self
  readonly Iso: Encoded
}
