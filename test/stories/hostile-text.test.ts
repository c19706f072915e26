// Long runs of a few characters in every text the API takes, found by walking the list of endpoints. What
// the process works on a text may grow with its length, never with the square of it.
import type { TSchema } from 'typebox'
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/features/families.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { type Answer, rootToken } from '../kit/app.ts'
import { exampleOf } from '../kit/every-example.ts'
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

function namesIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
}

type Call = { endpoint: Endpoint; path: Record<string, string>; input: object }

/** Everything stands in the body, which may be as long as an address where it is a GET's. */
function send({ endpoint: { method, path: template }, path, input }: Call): Promise<Answer> {
  const url = template
    .replace(/\(\^[^()]*\)/g, '')
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  return world.app.server.inject({
    method,
    url: `/api/v4${url}`,
    headers: { 'private-token': rootToken, 'content-type': 'application/json' },
    payload: JSON.stringify(input),
  })
}

type Place = { name: string; isInUrl: boolean; call: (text: string) => Omit<Call, 'endpoint'> }

/** The texts of a request about a real thing, so that what looks for it does not refuse before they are read. */
async function placesOf(endpoint: Endpoint): Promise<Place[]> {
  const { path: things = {}, body = {} } = await exampleOf(endpoint)(world, 'admin')
  const path = Object.fromEntries(
    Object.entries(things).map(([name, value]) => [name, String(value)]),
  )
  const schema = (endpoint.input ?? {}) as Property
  const input = { ...goodInput(schema), ...body }
  return [
    ...(triedNames.get(endpoint) ?? []).map((name) => ({
      name: `:${name}`,
      isInUrl: true,
      call: (text: string) => ({ path: { ...path, [name]: text }, input }),
    })),
    ...fillingsOf(schema).map(({ name, fill }) => ({
      name,
      isInUrl: false,
      call: (text: string) => ({ path, input: { ...body, ...fill(text) } }),
    })),
  ]
}

/** What is wrong where this text stands there, four times as long and as it is. */
async function problemOf(
  endpoint: Endpoint,
  { call }: Place,
  most: number,
  text: (length: number) => string,
): Promise<{ problem: string | undefined; answer: Answer }> {
  let answer: Answer | undefined
  const growth = await growthOf(most, async (length) => {
    const given = await send({ endpoint, ...call(text(length)) })
    if (!answer || given.statusCode >= 500) answer = given
  })
  if (!answer) throw new Error('No request was sent.')
  const problem = answer.statusCode >= 500 ? String(answer.statusCode) : growth
  return { problem, answer }
}

async function problemsOf(endpoint: Endpoint): Promise<string[]> {
  const problems: string[] = []
  for (const place of await placesOf(endpoint)) {
    for (const unit of units) {
      const isShort = place.isInUrl || endpoint.method === 'GET'
      const most = isShort ? urlLength(unit) : body_characters
      const { problem, answer } = await problemOf(endpoint, place, most, (n) => run(unit, n))
      if (problem) problems.push(`${place.name} of ${JSON.stringify(unit)}: ${problem}`)
      // Numbers of things are read in one place: test/hostile-parsers.test.ts has it.
      if (place.isInUrl && isInvalid(answer)) break
      if (!isShort && isTooLong(answer)) {
        // A longer one of all runs is refused as well, whatever is done before.
        const all = await problemOf(endpoint, place, body_characters, everyRun)
        if (all.problem) problems.push(`${place.name} of all: ${all.problem}`)
        break
      }
    }
  }
  // Lines about so many requests would be most of what the process holds.
  world.app.log.length = 0
  return problems
}

const isInvalid = ({ statusCode, body }: Answer) =>
  statusCode === 400 && /"error":"\w+ is invalid"/.test(body)
const isTooLong = ({ statusCode, body }: Answer) =>
  (statusCode === 400 || statusCode === 422) && body.includes('is too long')
const everyRun = (length: number) => units.map((unit) => run(unit, length)).join('')

const triedPlaces = new Set<unknown>()

/**
 * The parameters of its path to try. One that is not the last of the path is tried once for all addresses below it, and `:id`
 * once for all endpoints of a loader: they read it in the same way.
 */
const triedNames = new Map(
  endpoints.map((endpoint) => {
    const { method, on, path } = endpoint
    const names = namesIn(path).filter((name) => {
      const [before, after] = path.split(new RegExp(`:${name}\\b`))
      const place = name === 'id' && on ? on : `${after ? '' : method} ${before}`
      const isNew = !triedPlaces.has(place)
      triedPlaces.add(place)
      return isNew
    })
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
