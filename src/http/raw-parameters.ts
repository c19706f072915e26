// Reads bodies and query strings into one set of parameters, with limits on depth and number. Names nest as in Rack:
// `outer[inner]`, `name[]`, `actions[][path]`.

import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { badRequest, malformedJson, tooLarge } from '../kernel/errors.ts'
import { limits } from '../kernel/limits.ts'
import { ownValue } from '../kernel/own-value.ts'
import type { RawParameters } from './parameters.ts'

/** A file of a multipart form, in memory. The limit of the body limits its size. */
export type UploadedFile = { filename: string; mimetype: string; content: Buffer }

/** Reads a body to its end. Throws 413 beyond the limit. */
export async function readBody(stream: Readable, bytes_max: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  // A refused stream stays open, since its sender still gets a response.
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > bytes_max) throw tooLarge()
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

export function parseJson(body: Buffer): RawParameters {
  if (body.length === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    throw malformedJson()
  }
  if (value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) return {}
  checkBounds(value)
  return value as RawParameters
}

/** Walks without recursion: the depth is the client's choice until it is checked. */
function checkBounds(root: object): void {
  let values = 0
  let level: object[] = [root]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limits.parameter_depth) throw badRequest('parameters are nested too deeply')
    const next: object[] = []
    for (const container of level) {
      const members = Object.values(container)
      values += members.length
      if (members.length > limits.parameter_members || values > limits.parameter_values) {
        throw badRequest('too many parameters')
      }
      for (const member of members)
        if (member !== null && typeof member === 'object') next.push(member)
    }
    level = next
  }
}

/** Returns everything after the first question mark of a URL; further question marks are part of it. */
export function queryStringOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

/** Parses `application/x-www-form-urlencoded`, which is also the format of a query string. */
export function parseForm(text: string): RawParameters {
  const bag: RawParameters = {}
  if (text === '') return bag
  const pairs = text.split('&', limits.parameter_values + 1)
  if (pairs.length > limits.parameter_values) throw badRequest('too many parameters')
  for (const pair of pairs) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    addRawParameter(bag, name, equals < 0 ? null : decode(pair.slice(equals + 1)))
  }
  return bag
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw badRequest('invalid %-encoding')
  }
}

/** Adds one `name=value`, nesting by the brackets of the name. */
export function addRawParameter(bag: RawParameters, name: string, value: unknown): void {
  const head = /^[^[\]]+/.exec(name)?.[0]
  if (!head) return
  const rest = name.slice(head.length)
  const steps = [...rest.matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1] ?? '')
  if (steps.length > limits.parameter_depth) throw badRequest('parameters are nested too deeply')
  // With unbalanced brackets the whole text is a plain name.
  const isPlain = steps.map((step) => `[${step}]`).join('') !== rest
  const path = isPlain ? [name] : [head, ...steps]
  let container: RawParameters = bag
  for (const [index, step] of path.entries()) {
    const following = path[index + 1]
    if (following === undefined) {
      set(container, step, value)
      return
    }
    if (following === '') {
      const list = childList(container, step)
      const inner = path[index + 2]
      if (inner === undefined) {
        push(list, value)
        return
      }
      container = elementFor(list, path.slice(index + 2))
      addSteps(container, path.slice(index + 2), value)
      return
    }
    container = childBag(container, step)
  }
}

function addSteps(bag: RawParameters, path: readonly string[], value: unknown): void {
  const [head = '', ...rest] = path
  addRawParameter(bag, head + rest.map((step) => `[${step}]`).join(''), value)
}

/** In `a[][x]=1&a[][y]=2&a[][x]=3` the second `x` begins the second element. */
function elementFor(list: unknown[], path: readonly string[]): RawParameters {
  const last = list.at(-1)
  const head = path[0] ?? ''
  const isList = path[1] === ''
  const isBag = last !== null && typeof last === 'object' && !Array.isArray(last)
  if (isBag && (isList || !Object.hasOwn(last, head) || path.length > 1))
    return last as RawParameters
  const element: RawParameters = {}
  push(list, element)
  return element
}

function childBag(container: RawParameters, name: string): RawParameters {
  const child = ownValue(container, name)
  if (child !== null && typeof child === 'object' && !Array.isArray(child))
    return child as RawParameters
  const made: RawParameters = {}
  set(container, name, made)
  return made
}

function childList(container: RawParameters, name: string): unknown[] {
  const child = ownValue(container, name)
  if (Array.isArray(child)) return child
  const made: unknown[] = []
  set(container, name, made)
  return made
}

function push(list: unknown[], value: unknown): void {
  if (list.length >= limits.parameter_members) throw badRequest('too many parameters')
  list.push(value)
}

function set(container: RawParameters, name: string, value: unknown): void {
  // Defined, not assigned: `__proto__` is then a name like any other.
  Object.defineProperty(container, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  })
}

/** Parses `multipart/form-data`. Fields nest as in a form; files become UploadedFile. */
export function parseMultipart(
  headers: IncomingHttpHeaders,
  chunks: AsyncIterable<Buffer>,
  bytes_max: number,
): Promise<RawParameters> {
  return new Promise((resolve, reject) => {
    const bag: RawParameters = {}
    let isOver = false
    const refuse = (error: Error) => {
      isOver = true
      reject(error)
    }
    let parser: InstanceType<typeof Busboy>
    try {
      parser = new Busboy({
        headers: headers as IncomingHttpHeaders & { 'content-type': string },
        limits: {
          fields: limits.parameter_members,
          files: 100,
          fieldNameSize: 1024,
          fieldSize: Math.min(bytes_max, limits.form_body_bytes),
          fileSize: bytes_max,
          headerPairs: 100,
        },
      })
    } catch {
      reject(badRequest('invalid multipart body'))
      return
    }
    parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
      if (valueTruncated) return refuse(tooLarge())
      try {
        addRawParameter(bag, name, value)
      } catch (error) {
        refuse(error as Error)
      }
    })
    parser.on('file', (name, stream, filename, _encoding, mimetype) => {
      const chunks: Buffer[] = []
      // A part that is cut short emits an error here too. Without a listener it would end the process.
      stream.on('error', () => refuse(badRequest('invalid multipart body')))
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const file: UploadedFile = {
          filename: filename ?? '',
          mimetype,
          content: Buffer.concat(chunks),
        }
        try {
          addRawParameter(bag, name, file)
        } catch (error) {
          refuse(error as Error)
        }
      })
    })
    parser.on('error', () => refuse(badRequest('invalid multipart body')))
    parser.on('finish', () => resolve(bag))
    const feed = async () => {
      let size = 0
      for await (const chunk of chunks) {
        size += chunk.length
        if (size > bytes_max) throw tooLarge()
        if (isOver) return
        if (!parser.write(chunk)) await once(parser, 'drain')
      }
      parser.end()
    }
    feed().catch(refuse)
  })
}
