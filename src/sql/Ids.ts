/**
 * Ids of rows: texts to the library, and whatever the column is to the database.
 *
 * @since 0.1.0
 */
import { isStorable } from "../internal/Text.ts"
import type { Column } from "./Catalogue.ts"

/**
 * The type of a column of ids.
 *
 * @category models
 * @since 0.1.0
 */
export type IdKind = "integer" | "text" | "uuid"

/**
 * The values of a column of this type.
 *
 * @category constructors
 * @since 0.1.0
 */
export const kindOf = (column: Column | undefined): IdKind => {
  const type = column?.type ?? "text"
  if (/^(?:big|small)?int|serial/.test(type)) return "integer"
  return type === "uuid" ? "uuid" : "text"
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const integer = /^(?:0|[1-9]\d{0,15})$/

/**
 * An id as a parameter; `undefined` when no row can have it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const bindId = (kind: IdKind, id: string): string | number | undefined => {
  switch (kind) {
    case "integer": {
      const value = integer.test(id) ? Number(id) : Number.NaN
      return Number.isSafeInteger(value) ? value : undefined
    }
    case "uuid":
      return uuid.test(id) ? id : undefined
    case "text":
      return isStorable(id) ? id : undefined
  }
}
