// Writes web/api/operations.ts, the types of all operations, from the list that is served: `npm run web:client`.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '../src/features/families.ts'
import type { Endpoint } from '../src/http/endpoint.ts'
import { ownValue } from '../src/kernel/own-value.ts'

/** The keywords of JSON Schema that endpoints use. */
type Schema = {
  readonly title?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean
  readonly required?: readonly string[]
}

/** The members of each record, by its name. */
type Records = Map<string, string>

const root = join(import.meta.dirname, '..')
const file = 'web/api/operations.ts'

/** The text of web/api/operations.ts: an interface a record, and `Operations` by their routes. */
export function describeOperations(): string {
  const records: Records = new Map()
  const operations = endpoints.map((endpoint) => operationOf(endpoint, records))
  const interfaces = [...records]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, members]) => `export interface ${name} ${members}`)
  const text = [
    '// Made by `npm run web:client` from the endpoints of the server; not to be edited.\n' +
      '// biome-ignore-all lint/suspicious/noConfusingVoidType: an answer without a body is awaited as void.',
    ...interfaces,
    `/** By the route: what it takes (of path, query and body, in one bag), and the body of its success. */`,
    `export interface Operations {\n${operations.join('\n')}\n}`,
  ].join('\n\n')
  return formatted(text)
}

function operationOf(endpoint: Endpoint, records: Records): string {
  const route = `${endpoint.method} ${endpoint.path.replace(/\(\^[^()]*\)/g, '')}`
  const input = inputOf(endpoint, records)
  return `/** ${endpoint.summary}. */\n'${route}': { input: ${input}; answer: ${answerOf(endpoint, records)} }`
}

/** The path's parameters and all others. What a path names by `id` may often be named by its path as well. */
function inputOf(endpoint: Endpoint, records: Records): string {
  const { properties = {}, required = [] } = (endpoint.input ?? {}) as Schema
  const declared = { ...endpoint.on?.parameters, ...properties } as Record<string, Schema>
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const path = inPath.map((name) => {
    const type = typeOf(ownValue(declared, name) ?? { type: 'string' }, records)
    return `${name}: ${name === 'id' && type === 'string' ? 'number | string' : type}`
  })
  const others = Object.entries(properties)
    .filter(([name]) => !inPath.includes(name))
    .map(([name, schema]) => member(name, schema, required, records))
  const members = [...path, ...others]
  return members.length > 0 ? `{ ${members.join('; ')} }` : 'Record<string, never>'
}

/** `undefined` is the answer of a status without a body, beside one that has one. */
function answerOf({ status, answers }: Endpoint, records: Records): string {
  const bodies = Object.entries(answers).filter(([code]) => Number(code) < 400)
  const types = bodies.map(([code, schema]) => {
    if (schema) return typeOf(schema as Schema, records)
    if (bodies.length === 1 && status === 204) return 'void'
    return code === '204' || code === '304' ? 'undefined' : 'unknown'
  })
  return union(types)
}

function typeOf(schema: Schema, records: Records): string {
  if (schema.title !== undefined) {
    if (!records.has(schema.title)) records.set(schema.title, objectOf(schema, records))
    return schema.title
  }
  if (schema.format === 'binary') return 'unknown'
  if (schema.format === 'file') return 'Blob'
  if (schema.format === 'text-or-file') return 'string | Blob'
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return union(schema.anyOf.map((one) => typeOf(one, records)))
  if (schema.allOf) return schema.allOf.map((one) => bracketed(one, records)).join(' & ')
  if (schema.type === 'array') return `${bracketed(schema.items ?? {}, records)}[]`
  if (schema.type === 'object') return objectOf(schema, records)
  return schema.type === 'integer' ? 'number' : (schema.type ?? 'unknown')
}

function objectOf(schema: Schema, records: Records): string {
  const { properties = {}, patternProperties = {}, required = [] } = schema
  const members = Object.entries(properties).map(([name, one]) =>
    member(name, one, required, records),
  )
  const [values] = Object.values(patternProperties)
  // What a schema does not forbid may be there, but only where it says so is there something to read.
  const isOpen = schema.additionalProperties === true || members.length === 0
  if (values) members.push(`[name: string]: ${typeOf(values, records)}`)
  else if (isOpen) members.push('[name: string]: unknown')
  return `{ ${members.join('; ')} }`
}

function member(name: string, schema: Schema, required: readonly string[], records: Records) {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
  return `${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, records)}`
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

/** Returns a type in parentheses where it needs them. */
function bracketed(schema: Schema, records: Records): string {
  const type = typeOf(schema, records)
  return schema.title === undefined && / [|&] /.test(type) ? `(${type})` : type
}

function formatted(text: string): string {
  const args = ['format', `--stdin-file-path=${file}`]
  const { status, stdout, stderr } = spawnSync('node_modules/.bin/biome', args, {
    cwd: root,
    input: text,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

if (import.meta.main) writeFileSync(join(root, file), describeOperations())
