// Building blocks for the schemas of parameters and responses, besides TypeBox's own. parameters.ts reads the keywords
// that JSON Schema does not have.
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import type { LongText } from './long-text.ts'
import type { UploadedFile } from './raw-parameters.ts'

/** An object schema with a name that the OpenAPI document and generated clients use. Each name has only one shape. */
export function namedObject<T extends TProperties>(
  title: string,
  properties: T,
  options: object = {},
) {
  return Type.Object(properties, { title, ...options })
}

/** A text from a list of values; anything else is refused with `does not have a valid value`. */
export function oneOf<const T extends string>(values: readonly T[], options: object = {}) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], ...options })
}

/** An integer from a list of values. */
export function oneOfNumbers<const T extends number>(values: readonly T[], options: object = {}) {
  return Type.Unsafe<T>({ type: 'integer', enum: [...values], ...options })
}

/** A text that must not be blank; a blank one is refused with `X is empty`. */
export function nonBlankText(options: object = {}) {
  return Type.String({ notBlank: true, ...options })
}

/** A value that may be null. An explicit null differs from an absent parameter. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** A date and time in ISO 8601, converted to UTC with milliseconds. */
export function dateTime(options: object = {}) {
  return Type.String({ format: 'date-time', ...options })
}

/** `YYYY-MM-DD`. */
export function date(options: object = {}) {
  return Type.String({ format: 'date', ...options })
}

/** The content of a file: any text, of any length the body may have. */
export function fileContent() {
  return Type.Unsafe<string | LongText>({ type: 'string', format: 'content' })
}

/** A file of a multipart form. Anything else is refused with `is invalid`. */
export function file(options: object = {}) {
  return Type.Unsafe<UploadedFile>({ type: 'object', format: 'file', ...options })
}

/** A text, or a file of a multipart form that contains one. */
export function textOrFile(options: object = {}) {
  return Type.String({ format: 'text-or-file', ...options })
}

/** The schema of a response body with bytes of this type. */
export function binaryBody(contentMediaType = 'application/octet-stream') {
  return Type.Unsafe<unknown>({ type: 'string', format: 'binary', contentMediaType })
}

/** The schema of a response body with plain text. */
export function plainTextBody(contentMediaType = 'text/plain') {
  return Type.String({ contentMediaType })
}

/** Many names for one optional thing, to keep records short. */
export const optionalText = Type.Optional(Type.String())
export const optionalBoolean = Type.Optional(Type.Boolean())
export const optionalInteger = Type.Optional(Type.Integer())
export const nullableText = nullable(Type.String())
export const nullableInteger = nullable(Type.Integer())
export const nullableBoolean = nullable(Type.Boolean())

/** The response of operations that have no record to return. */
export const MessageJson = namedObject('Message', { message: Type.String() })

/** `page` and `per_page` of every list. */
export const pageInput = {
  page: Type.Optional(Type.Integer({ default: 1, description: 'Page number, from 1.' })),
  per_page: Type.Optional(
    Type.Integer({ default: 20, excluded: [0], description: 'Items a page, at most 100.' }),
  ),
}

export type { Static, TSchema }
