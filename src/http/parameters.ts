// Converts the parameters of a request to the values that an endpoint declares: coercion, defaults, and the exact error
// messages (docs/api/conventions.md, "Parameter messages").

import type { TSchema } from 'typebox'
import { parseDateTime, parseDay } from '../kernel/clock.ts'
import { badParameters } from '../kernel/errors.ts'
import { limits } from '../kernel/limits.ts'
import { ownValue } from '../kernel/own-value.ts'
import { LongText } from './long-text.ts'

/** The keywords parameters.ts reads, of JSON Schema and our own. */
type Keywords = {
  type?: string
  anyOf?: Keywords[]
  enum?: unknown[]
  format?: string
  items?: Keywords
  /** Of a list; `limits.parameter_members` where it is unsaid. */
  maxItems?: number
  properties?: Record<string, Keywords>
  required?: string[]
  /** True: what is not declared is handed on too, as it came. */
  additionalProperties?: boolean
  default?: unknown
  minimum?: number
  maximum?: number
  /** `X is empty` for a blank text, an empty list or an empty value. */
  notBlank?: boolean
  /** `X has a value not allowed`. */
  excluded?: unknown[]
}

export type RawParameters = Record<string, unknown>

/** Checks several parameters together. Returns the message or messages of what is wrong. */
export type ParameterRule = (values: RawParameters) => string | readonly string[] | undefined

export function mutuallyExclusive(...names: string[]): ParameterRule {
  return (values) => {
    const given = names.filter((name) => ownValue(values, name) !== undefined)
    return given.length > 1 ? `${given.join(', ')} are mutually exclusive` : undefined
  }
}

export function atLeastOneOf(...names: string[]): ParameterRule {
  return (values) =>
    names.every((name) => ownValue(values, name) === undefined)
      ? `${names.join(', ')} are missing, at least one parameter must be provided`
      : undefined
}

export function allOrNoneOf(...names: string[]): ParameterRule {
  return (values) => {
    const given = names.filter((name) => ownValue(values, name) !== undefined)
    return given.length === 0 || given.length === names.length
      ? undefined
      : `${names.join(', ')} provide all or none of parameters`
  }
}

/** Refuses a blank text with `X is empty`. A missing one is refused by another rule, so that only one message is sent. */
export function notBlank(name: string): ParameterRule {
  return (values) => {
    const value = ownValue(values, name)
    const isBlank = typeof value === 'string' ? value.trim() === '' : isEmptyList(value)
    return isBlank ? `${name} is empty` : undefined
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

const wrong = Symbol('wrong')

/**
 * Returns the parameters that `schema` declares, converted to their types. Throws one 400 with all problems, in the order of
 * the declaration.
 */
export function readParameters(
  schema: TSchema | undefined,
  rules: readonly ParameterRule[],
  bag: RawParameters,
): RawParameters {
  const problems: string[] = []
  const values = schema ? readObject(schema as Keywords, bag, '', problems) : {}
  if (problems.length === 0) {
    for (const rule of rules) {
      const problem = rule(values)
      if (problem) problems.push(...[problem].flat())
    }
  }
  if (problems.length > 0) throw badParameters(problems)
  return values
}

/** The parts of a property's schema that are checked at each request. */
type Property = {
  name: string
  isRequired: boolean
  isNullable: boolean
  /** The schema beside null. */
  inner: Keywords
  /** An empty text is a value; an empty number or date is none. */
  takesEmpty: boolean
  default: unknown
}

const propertiesOf = new WeakMap<Keywords, readonly Property[]>()

function listProperties(schema: Keywords): readonly Property[] {
  let properties = propertiesOf.get(schema)
  if (!properties) {
    properties = Object.entries(schema.properties ?? {}).map(([name, property]) =>
      describeProperty(name, property, schema.required?.includes(name) ?? false),
    )
    propertiesOf.set(schema, properties)
  }
  return properties
}

function describeProperty(name: string, schema: Keywords, isRequired: boolean): Property {
  const inner = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
  return {
    name,
    isRequired,
    isNullable: schema.anyOf?.some(({ type }) => type === 'null') ?? false,
    inner,
    takesEmpty:
      inner.type === 'array' || (inner.type === 'string' && !inner.format?.startsWith('date')),
    default: schema.default,
  }
}

function readObject(
  schema: Keywords,
  bag: RawParameters,
  prefix: string,
  problems: string[],
): RawParameters {
  const values: RawParameters = schema.additionalProperties === true ? { ...bag } : {}
  for (const property of listProperties(schema)) {
    const { name } = property
    const fullName = prefix ? `${prefix}[${name}]` : name
    const raw = ownValue(bag, name)
    const value = readValue(property, raw, fullName, problems)
    if (value !== wrong && value !== undefined) values[name] = value
  }
  return values
}

function readValue(property: Property, raw: unknown, name: string, problems: string[]): unknown {
  const { inner, isRequired } = property
  if (raw === undefined) {
    if (!isRequired) return property.default
    problems.push(`${name} is missing`)
    if (inner.notBlank) problems.push(`${name} is empty`)
    // What must be inside is missing too, and told.
    if (inner.properties) readObject(inner, {}, name, problems)
    return wrong
  }
  const isEmptyText = raw === '' && !property.takesEmpty
  if (raw === null || isEmptyText) {
    if (property.isNullable) return null
    if (inner.notBlank || (isRequired && isEmptyText)) {
      problems.push(`${name} is empty`)
      return wrong
    }
    if (!isRequired) return property.default
    problems.push(`${name} is missing`)
    return wrong
  }
  const value = coerce(inner, raw, name, problems)
  if (value === wrong) return wrong
  if (inner.notBlank && typeof value === 'string' && value.trim() === '') {
    problems.push(`${name} is empty`)
    return wrong
  }
  if (inner.enum && !inner.enum.includes(value)) {
    problems.push(`${name} does not have a valid value`)
    return wrong
  }
  const { minimum = -Infinity, maximum = Infinity } = inner
  if (typeof value === 'number' && (value < minimum || value > maximum)) {
    problems.push(`${name} does not have a valid value`)
    return wrong
  }
  if (inner.excluded?.includes(value)) {
    problems.push(`${name} has a value not allowed`)
    return wrong
  }
  return value
}

function coerce(schema: Keywords, raw: unknown, name: string, problems: string[]): unknown {
  const value = coerceByType(schema, raw, name, problems)
  if (value === wrong) problems.push(`${name} is invalid`)
  return value
}

const truths = new Map<unknown, boolean>()
for (const text of ['true', '1', 't', 'yes', 'on', 'y']) truths.set(text, true)
for (const text of ['false', '0', 'f', 'no', 'off', 'n']) truths.set(text, false)

function coerceByType(schema: Keywords, raw: unknown, name: string, problems: string[]): unknown {
  switch (schema.type) {
    case 'string':
      return coerceText(schema, raw)
    case 'integer':
      return coerceNumber(raw, /^[+-]?\d{1,15}$/)
    case 'number':
      return coerceNumber(raw, /^[+-]?\d{1,15}(\.\d{1,15})?$/)
    case 'boolean':
      return coerceBoolean(raw)
    case 'array':
      return coerceArray(schema, raw, name, problems)
    case 'object':
      if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) return wrong
      // Only a multipart form can carry bytes; an object of JSON that looks alike cannot.
      if (schema.format === 'file') {
        return Buffer.isBuffer((raw as RawParameters).content) ? raw : wrong
      }
      return schema.properties ? readObject(schema, raw as RawParameters, name, problems) : raw
    default:
      return raw
  }
}

const boolean_characters_max = 10

function coerceBoolean(raw: unknown): unknown {
  if (typeof raw === 'boolean') return raw
  if (typeof raw === 'number') return truths.get(String(raw)) ?? wrong
  if (typeof raw !== 'string' || raw.length > boolean_characters_max) return wrong
  return truths.get(raw.toLowerCase()) ?? wrong
}

function coerceNumber(raw: unknown, pattern: RegExp): unknown {
  if (typeof raw === 'number') return pattern.test(String(raw)) ? raw : wrong
  return typeof raw === 'string' && pattern.test(raw.trim()) ? Number(raw) : wrong
}

function coerceText(schema: Keywords, given: unknown): unknown {
  const isFile =
    schema.format === 'text-or-file' && Buffer.isBuffer((given as RawParameters)?.content)
  const raw = isFile ? String((given as RawParameters).content) : given
  if (raw instanceof LongText) return schema.format === 'content' ? raw : wrong
  if (typeof raw !== 'string' && typeof raw !== 'number' && typeof raw !== 'boolean') return wrong
  const text = String(raw)
  // Neither database stores NUL or half a character as it is. Contents of files may have both.
  if (schema.format === 'content') return text
  if (text.includes('\0') || !text.isWellFormed()) return wrong
  if (schema.format === 'date') return toDate(text)
  if (schema.format === 'date-time') return parseDateTime(text) ?? wrong
  return text
}

function toDate(text: string): unknown {
  return /^\d{4}-\d{2}-\d{2}(?:T.*)?$/.test(text) ? (parseDay(text) ?? wrong) : wrong
}

function coerceArray(schema: Keywords, raw: unknown, name: string, problems: string[]): unknown {
  const inner = schema.items ?? {}
  let items: unknown[]
  if (Array.isArray(raw)) items = raw
  else if (raw === '') items = []
  // Clients send every list of texts or numbers as `a,b` too, whatever its documentation says.
  else if (inner.type !== 'object' && (typeof raw === 'string' || typeof raw === 'number')) {
    items = String(raw)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  } else if (raw !== null && typeof raw === 'object') {
    // `variables[0][key]=..` arrives as an object with the positions for names.
    const entries = Object.entries(raw)
    if (!entries.every(([key]) => /^\d+$/.test(key))) return wrong
    items = entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value)
  } else return wrong
  if (items.length > (schema.maxItems ?? limits.parameter_members)) return wrong
  if (schema.notBlank && items.length === 0) {
    problems.push(`${name} is empty`)
    return undefined
  }
  // Problems of an array name the array if its members are scalars, and the position if they are objects.
  const nameOf = (index: number) => (inner.type === 'object' ? `${name}[${index}]` : name)
  const member = describeProperty('', inner, true)
  const values: unknown[] = []
  for (const [index, item] of items.entries()) {
    const value = readValue(member, item, nameOf(index), problems)
    if (value === wrong) return undefined
    values.push(value)
  }
  return values
}
