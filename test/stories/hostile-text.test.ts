// Long runs of a few characters in every text the API takes, found by walking the list of endpoints. What
// the process works on a text may grow with its length, never with the square of it.
import type { TSchema } from 'typebox'
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/features/families.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import type { Answer } from '../kit/app.ts'
import { growthOf, run, units } from '../kit/hostile.ts'
import { newWorld, type World } from '../kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const body_characters = 100_000
/** The whole address, percent signs included. */
const url_characters = 12_000

type Property = TSchema & {
  type?: string
  enum?: unknown[]
  anyOf?: Property[]
  items?: Property
  format?: string
  properties?: Record<string, Property>
  required?: string[]
}

/** Something good for a parameter that has to be there while another one is tried. */
const good: Record<string, unknown> = {
  ref: 'main',
  branch: 'main',
  start_branch: 'main',
  from: 'main',
  to: 'main',
  refs: ['main', 'HEAD'],
  sha: 'main',
  file_path: 'a',
  tag_name: 'v1',
  email: 'somebody@x.test',
  content: 'a',
  scopes: ['api'],
  expires_at: null,
  scope: 'projects',
}

function goodValue(name: string, property: Property): unknown {
  if (name in good) return good[name]
  const inner = property.anyOf?.find(({ type }) => type !== 'null') ?? property
  if (inner.enum) return inner.enum[0]
  switch (inner.type) {
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'array':
      return [goodValue('', inner.items ?? ({ type: 'string' } as Property))]
    case 'object':
      return goodInput(inner)
    default:
      return 'a'
  }
}

function goodInput({ properties = {}, required = [] }: Property): Record<string, unknown> {
  return Object.fromEntries(
    required.map((name) => [name, goodValue(name, properties[name] ?? ({} as Property))]),
  )
}

type Filling = { name: string; fill: (text: string) => Record<string, unknown> }

/** The ways to put a text into a body, one for every text that it may hold at any depth. */
function fillingsOf(schema: Property): Filling[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    waysInto(name, property).map((way) => ({
      name: way.name,
      fill: (text: string) => ({ ...goodInput(schema), [name]: way.fill(text) }),
    })),
  )
}

/** What is read as a number, a date, a boolean or one of a few words is read in one place: test/hostile-parsers.test.ts has it. */
function isText({ type, enum: words, format = '' }: Property): boolean {
  const isDate = format === 'date' || format === 'date-time'
  return (type === undefined || type === 'string') && words === undefined && !isDate
}

function waysInto(
  name: string,
  property: Property,
): { name: string; fill: (text: string) => unknown }[] {
  const inner = property.anyOf?.find(({ type }) => type !== 'null') ?? property
  switch (inner.type) {
    case 'array':
      return waysInto(`${name}[]`, inner.items ?? ({ type: 'string' } as Property)).map((way) => ({
        name: way.name,
        fill: (text) => [way.fill(text)],
      }))
    case 'object':
      return inner.format === 'file'
        ? []
        : fillingsOf(inner).map((way) => ({ name: `${name}.${way.name}`, fill: way.fill }))
    default:
      return isText(inner) ? [{ name, fill: (text) => text }] : []
  }
}

/** What a path leads to: real things, made anew because an endpoint may remove them. */
async function newSubject({ path }: Endpoint): Promise<Record<string, string>> {
  const [, first = ''] = path.split('/')
  const parameters: Record<string, string> = {}
  const things: Record<string, () => Promise<{ id: number }>> = {
    projects: () => world.newProject({ files: { a: 'a' } }),
    groups: () => world.newGroup(),
    users: async () => (await world.newUser()).user,
  }
  for (const name of namesIn(path)) {
    const isSubject = name === 'id' || name === 'user_id'
    const made = isSubject && Object.hasOwn(things, first) ? await things[first]?.() : undefined
    parameters[name] = String(made?.id ?? good[name] ?? '1')
  }
  return parameters
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
}

type Call = { token: string; endpoint: Endpoint; path: Record<string, string>; input: object }

/** Everything stands in the body, which may be as long as an address where it is a GET's. */
function send({ token, endpoint: { method, path: template }, path, input }: Call): Promise<Answer> {
  const url = template
    .replace(/\(\^[^()]*\)/g, '')
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  return world.app.server.inject({
    method,
    url: `/api/v4${url}`,
    headers: { 'private-token': token, 'content-type': 'application/json' },
    payload: JSON.stringify(input),
  })
}

async function problemsOf(endpoint: Endpoint): Promise<string[]> {
  const { token } = await world.newUser({ is_admin: true })
  const path = await newSubject(endpoint)
  const schema = (endpoint.input ?? {}) as Property
  const places = [
    ...(triedNames.get(endpoint) ?? []).map((name) => ({
      name: `:${name}`,
      isInUrl: true,
      call: (text: string) => ({ path: { ...path, [name]: text }, input: goodInput(schema) }),
    })),
    ...fillingsOf(schema).map(({ name, fill }) => ({
      name,
      isInUrl: false,
      call: (text: string) => ({ path, input: fill(text) }),
    })),
  ]
  const problems: string[] = []
  for (const { name, isInUrl, call } of places) {
    for (const unit of units) {
      const most = isInUrl || endpoint.method === 'GET' ? urlLength(unit) : body_characters
      const growth = await growthOf(most, async (length) => {
        const answer = await send({ token, endpoint, ...call(run(unit, length)) })
        if (answer.statusCode >= 500) {
          problems.push(`${name} of ${JSON.stringify(unit)}: ${answer.statusCode}`)
        }
      })
      if (growth) problems.push(`${name} of ${JSON.stringify(unit)}: ${growth}`)
    }
  }
  // Lines about so many requests would be most of what the process holds.
  world.app.log.length = 0
  return problems
}

/** Loaders whose `:id` an endpoint before has tried: a loader reads it in the same way for all its endpoints. */
const triedLoaders = new Set<unknown>()

/** The parameters of its path to try. */
const triedNames = new Map(
  endpoints.map((endpoint) => {
    const { on, path } = endpoint
    const names = namesIn(path).filter((name) => name !== 'id' || !on || !triedLoaders.has(on))
    triedLoaders.add(on)
    return [endpoint, names] as const
  }),
)

/** How much of it an address can hold. */
function urlLength(unit: string): number {
  return (url_characters * unit.length) / encodeURIComponent(unit).length
}

describe('a text of 100,000 characters', () => {
  it.each(
    endpoints
      .filter(
        (endpoint) =>
          triedNames.get(endpoint)?.length ||
          fillingsOf((endpoint.input ?? {}) as Property).length > 0,
      )
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('costs no more than its length: %s', { timeout: 120_000 }, async (_, endpoint) => {
    expect(await problemsOf(endpoint)).toEqual([])
  })
})
