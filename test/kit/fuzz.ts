// Hostile requests made of the endpoint list itself: every parameter of every endpoint, in path, query,
// form, JSON and multipart, with values that fit and values that do not. The same seed makes the same
// requests.
import type { Endpoint } from '../../src/http/endpoint.ts'
import { generator } from '../../tools/server-process.ts'

type Schema = {
  type?: string
  anyOf?: Schema[]
  enum?: unknown[]
  format?: string
  items?: Schema
  properties?: Record<string, Schema>
}

export type FuzzRequest = {
  method: string
  /** Behind `/api/v4`. */
  url: string
  headers: Record<string, string>
  body?: Buffer
}

/** Values that lead somewhere, by the name of the parameter, the most special name first: `/projects/:id`. */
export type Known = Record<string, readonly (string | number)[]>

const long = 'a'.repeat(20_000)

export const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\n',
  '\r\nX: y',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '..',
  '.',
  '/',
  '//',
  '../../../etc/passwd',
  '.git',
  '.git/config',
  'refs/heads/main',
  'main~99999999999999999999',
  'main^{/x}',
  'HEAD@{1}',
  '--output=x',
  '-1',
  '0',
  '1',
  '01',
  '1.5',
  '1e9',
  '99999999999999999999',
  '2147483648',
  '9007199254740993',
  'NaN',
  'true',
  'null',
  '[]',
  '{}',
  "'",
  '"; drop table users; --',
  '%',
  '%25',
  '%_',
  '\\',
  '*',
  '**/*',
  '(a+)+$',
  '<script>alert(1)</script>',
  '#{7*7}',
  'é',
  '😀',
  '\u202e',
  '\ufeff',
  '٣',
  'İ',
  'ß'.repeat(200),
  'x'.repeat(256),
  'x/'.repeat(300),
  long,
  '2026-02-30',
  '9999-99-99',
  '0000-00-00',
  '2026-03-01',
  '+275760-09-13T00:00:00.001Z',
  '2026-03-01T99:99:99Z',
  'a@b',
  'a@b@c',
  'http://169.254.169.254/',
  'file:///etc/passwd',
  'ssh-ed25519 AAAA',
  '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nxxxx\n-----END PGP PUBLIC KEY BLOCK-----',
  '0'.repeat(40),
  'f'.repeat(40),
  'abc123',
] as const

const hostileValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  1e308,
  -0,
  [],
  [[]],
  [null],
  ['a', 1, null, {}],
  [1, 2, 3],
  {},
  { a: 1 },
  { toString: 1 },
  { valueOf: 1, toString: null },
  { length: 1e9 },
  { 0: 'a', 2: 'b' },
  { content: 'x', filename: 'y' },
  '\ud800',
  'a\udfffb',
  ...hostileTexts,
]

export class Fuzz {
  readonly #random: () => number
  readonly #endpoints: readonly Endpoint[]
  #at = 0

  constructor(endpoints: readonly Endpoint[], seed: number) {
    this.#endpoints = endpoints
    this.#random = generator(seed)
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)] as T
  }

  isLikely(share: number): boolean {
    return this.#random() < share
  }

  /** A request to the next endpoint in turn, so that none is left out. */
  next(known: Known): { endpoint: Endpoint; request: FuzzRequest } {
    const endpoint = this.#endpoints[this.#at++ % this.#endpoints.length] as Endpoint
    return { endpoint, request: this.#request(endpoint, known) }
  }

  #request(endpoint: Endpoint, known: Known): FuzzRequest {
    const input = (endpoint.input ?? {}) as Schema
    const properties = {
      ...(endpoint.on?.parameters as Record<string, Schema>),
      ...input.properties,
    }
    const inPath = new Set<string>()
    const path = endpoint.path
      .replace(/\(\^[^)]*\)/g, '')
      .replace(/:(\w+)/g, (_, name: string, offset: number) => {
        inPath.add(name)
        return encode(
          this.#pathValue(endpoint.path.slice(0, offset), name, properties[name], known),
        )
      })
    const values: [string, unknown][] = []
    for (const [name, schema] of Object.entries(properties)) {
      if (inPath.has(name) || this.isLikely(0.25)) continue
      values.push([name, this.#value(name, schema, known)])
    }
    if (this.isLikely(0.1)) values.push([this.pick(hostileTexts), this.pick(hostileValues)])
    const method = endpoint.method === 'GET' && this.isLikely(0.1) ? 'HEAD' : endpoint.method
    const form = this.#form(endpoint.method)
    if (form === 'query') return { method, url: withQuery(path, values), headers: {} }
    if (form === 'json') return { method, url: path, ...json(values) }
    if (form === 'form') {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return { method, url: path, headers, body: Buffer.from(withQuery('', values).slice(1)) }
    }
    if (form === 'multipart') return { method, url: path, ...this.#multipart(values) }
    return { method, url: withQuery(path, values), ...this.#broken() }
  }

  #form(method: string): 'query' | 'json' | 'form' | 'multipart' | 'broken' {
    const isRead = method === 'GET'
    if (this.isLikely(isRead ? 0.8 : 0.1)) return 'query'
    return this.pick(['json', 'json', 'json', 'json', 'form', 'form', 'multipart', 'broken'])
  }

  #pathValue(before: string, name: string, schema: Schema | undefined, known: Known): unknown {
    const good = known[`${before}:${name}`] ?? known[name]
    if (good && good.length > 0 && this.isLikely(0.85)) return this.pick(good)
    return this.isLikely(0.5) ? this.pick(hostileTexts) : this.#fitting(schema ?? {}, name, known)
  }

  #value(name: string, schema: Schema, known: Known): unknown {
    const good = known[name]
    if (good && good.length > 0 && this.isLikely(0.5)) return this.pick(good)
    return this.isLikely(0.55) ? this.#fitting(schema, name, known) : this.pick(hostileValues)
  }

  /** A value of the type the endpoint declares. */
  #fitting(schema: Schema, name: string, known: Known): unknown {
    const plain = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
    if (plain.enum) return this.pick(plain.enum)
    switch (plain.type) {
      case 'integer':
      case 'number':
        return this.pick([0, 1, 2, 3, 10, 20, 30, 40, 50, 100, 1000, 2147483647, -5])
      case 'boolean':
        return this.isLikely(0.5)
      case 'array': {
        const count = this.pick([0, 1, 1, 2, 3])
        return Array.from({ length: count }, () => this.#value('', plain.items ?? {}, known))
      }
      case 'object':
        return Object.fromEntries(
          Object.entries(plain.properties ?? {}).map(([key, inner]) => [
            key,
            this.#value(key, inner, known),
          ]),
        )
      default:
        if (plain.format === 'date') return this.pick(['2026-03-01', '2027-01-01', '1970-01-01'])
        if (plain.format === 'date-time') return '2026-03-01T12:00:00Z'
        return this.pick([
          'a',
          'main',
          'README.md',
          'text',
          `${name}-${Math.floor(this.#random() * 1e6)}`,
        ])
    }
  }

  #multipart(values: readonly [string, unknown][]): Pick<FuzzRequest, 'headers' | 'body'> {
    const boundary = 'b0undary'
    const parts = values.map(([name, value]) => {
      const isFile = this.isLikely(0.3)
      const label = `form-data; name="${quote(name)}"${isFile ? `; filename="${quote(text(value))}"` : ''}`
      const type = isFile
        ? `\r\nContent-Type: ${this.pick(['image/png', 'text/html', 'x', ''])}`
        : ''
      return `--${boundary}\r\nContent-Disposition: ${label}${type}\r\n\r\n${text(value)}\r\n`
    })
    const end = this.isLikely(0.9) ? `--${boundary}--\r\n` : ''
    return {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: Buffer.from(parts.join('') + end),
    }
  }

  #broken(): Pick<FuzzRequest, 'headers' | 'body'> {
    const [type, body] = this.pick([
      ['application/json', ''],
      ['application/json', '{'],
      ['application/json', '[1,2]'],
      ['application/json', '"text"'],
      ['application/json', '{"a":1}x'],
      ['application/json', `${'['.repeat(500)}${']'.repeat(500)}`],
      ['application/json; charset=utf-16', '\u0000{'],
      ['application/x-www-form-urlencoded', 'a%zz=1'],
      ['application/x-www-form-urlencoded', 'a[[[]]]=1&[]=2&a[b=3'],
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=', '--\r\n'],
      ['multipart/form-data; boundary=b0undary', '--b0undary\r\n\r\n\r\n--b0undary--'],
      ['text/plain', 'x'],
      ['', 'x'],
      ['@@', 'x'],
    ] as const)
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
    return { headers, body: Buffer.from(body) }
  }
}

function encode(value: unknown): string {
  return encodeURIComponent(text(value).toWellFormed().slice(0, 5000))
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function quote(value: string): string {
  return value.replace(/["\r\n]/g, '_')
}

function withQuery(path: string, values: readonly [string, unknown][]): string {
  const pairs = values.flatMap(([name, value]) => encodePairs(name, value))
  let query = ''
  for (const pair of pairs) if (query.length + pair.length < 12_000) query += `&${pair}`
  return query === '' ? path : `${path}?${query.slice(1)}`
}

function encodePairs(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => encodePairs(`${name}[]`, item))
  if (value !== null && typeof value === 'object') {
    return Object.entries(value).flatMap(([key, inner]) => encodePairs(`${name}[${key}]`, inner))
  }
  return [`${encode(name)}=${encode(value)}`]
}

function json(values: readonly [string, unknown][]): Pick<FuzzRequest, 'headers' | 'body'> {
  const members = values.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  const headers = { 'content-type': 'application/json' }
  return { headers, body: Buffer.from(`{${members.join(',')}}`) }
}

/** The paths beside the API, and bodies that lead astray there. */
export function nextBesideApi(fuzz: Fuzz, projectPaths: readonly string[]): FuzzRequest {
  const project = fuzz.isLikely(0.8) ? fuzz.pick(projectPaths) : encode(fuzz.pick(hostileTexts))
  const hostile = () => encode(fuzz.pick(hostileTexts))
  const path = fuzz.pick([
    `/${project}.git/info/refs?service=git-upload-pack`,
    `/${project}.git/info/refs?service=${hostile()}`,
    `/${project}.git/git-upload-pack`,
    `/${project}.git/git-receive-pack`,
    `/${project}.git/info/lfs/objects/batch`,
    `/${project}.git/info/lfs/locks`,
    `/${project}.git/info/lfs/locks?cursor=${hostile()}&limit=${hostile()}&path=${hostile()}`,
    `/${project}.git/info/lfs/locks/verify`,
    `/${project}.git/info/lfs/locks/${hostile()}/unlock`,
    `/${project}.git/gitlab-lfs/objects/${hostile()}/${hostile()}`,
    `/${project}/${hostile()}/${hostile()}`,
    `/uploads/-/system/${fuzz.pick(['user', 'project', 'group', '__proto__'])}/avatar/${hostile()}/${hostile()}`,
    `/users/password/edit?reset_password_token=${hostile()}`,
    '/users/password/edit',
    '/users/confirmation',
    `/-/${hostile()}`,
    `/api/v4/${hostile()}`,
    `/${hostile()}`,
  ])
  const service = path.endsWith('receive-pack') ? 'receive' : 'upload'
  const headers: Record<string, string> = {
    'content-type': fuzz.pick([
      `application/x-git-${service}-pack-request`,
      'application/vnd.git-lfs+json',
      'application/x-www-form-urlencoded',
      'text/plain',
    ]),
    ...(fuzz.isLikely(0.2) && { 'content-encoding': fuzz.pick(['gzip', 'deflate', 'x']) }),
    ...(fuzz.isLikely(0.2) && { 'git-protocol': fuzz.pick(['version=2', 'version=9', 'x y']) }),
    ...(fuzz.isLikely(0.2) && { range: fuzz.pick(['bytes=0-', 'bytes=-1', 'bytes=9-1', 'x']) }),
  }
  const zero = '0'.repeat(40)
  const one = '1'.repeat(40)
  const line = (payload: string) => (payload.length + 4).toString(16).padStart(4, '0') + payload
  const json = (members: object) => JSON.stringify(members)
  const body = fuzz.pick([
    '',
    '0000',
    'ffff',
    '0003',
    `${line(`${zero} ${one} refs/heads/x\0report-status side-band-64k`)}0000`,
    `${line(`${one} ${zero} refs/heads/main\0report-status`)}0000`,
    `${line(`${one} ${one} ${fuzz.pick(hostileTexts)}\0report-status atomic`)}0000PACK`,
    `${line(`${zero} ${one} refs/heads/y\0report-status push-options`)}0000${line('x')}0000PACK\0\0\0\u0002\xff\xff\xff\xff`,
    `${line(`want ${one}\n`)}0000${line('done\n')}`,
    `${line('command=ls-refs\n')}0001${line(`ref-prefix ${fuzz.pick(hostileTexts)}\n`)}0000`,
    `${line('command=fetch\n')}0001${line(`want ${one}\n`)}${line('done\n')}0000`,
    '{',
    '[]',
    json({ operation: 'download', objects: [{ oid: fuzz.pick(hostileTexts), size: -1 }] }),
    json({ operation: fuzz.pick(hostileTexts), transfers: {}, objects: {} }),
    json({ operation: 'upload', objects: [{ oid: 'a'.repeat(64), size: 1e308 }, null, 1] }),
    json({ path: fuzz.pick(hostileTexts), cursor: {}, limit: [], force: 'x' }),
    `reset_password_token=${hostile()}&password=${hostile()}`,
    `confirmation_token=${hostile()}`,
  ])
  const isRead = !/pack$|batch$|locks$|verify$|unlock$|edit$|confirmation$/.test(path)
  const method = isRead || fuzz.isLikely(0.1) ? fuzz.pick(['GET', 'HEAD', 'PUT']) : 'POST'
  const sent = method === 'GET' || method === 'HEAD' ? undefined : Buffer.from(body, 'latin1')
  return { method, url: path, headers, body: sent }
}

/** Lines no git client sends over SSH. */
export function nextSshCommand(fuzz: Fuzz, projectPaths: readonly string[]): string {
  const argument = fuzz.isLikely(0.5) ? fuzz.pick(projectPaths) : fuzz.pick(hostileTexts)
  const name = fuzz.pick([
    'git-upload-pack',
    'git-receive-pack',
    'git-upload-archive',
    'git upload-pack',
    'git-lfs-authenticate',
    'sh',
    '',
  ])
  return fuzz.pick([
    `${name} '${argument}'`,
    `${name} '${argument}' upload`,
    `${name} ${argument} download`,
    `${name} ${"'a'".repeat(2000)}`,
    `${'a'.repeat(20_000)}'`,
    `${name} '${argument}`,
    `${name} --upload-pack=x '${argument}'`,
    argument,
  ])
}
