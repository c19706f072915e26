// That records have names in the document. What it says of operations is tested in http.test.ts.
import { beforeAll, expect, it } from 'vitest'
import { newWorld } from '../../test/kit/world.ts'
import { endpoints } from '../features/families.ts'

type Json = Record<string, unknown>

let document: {
  paths: Record<string, Record<string, { requestBody?: { content: Json } }>>
  components: Record<string, Json>
}
beforeAll(async () => {
  const world = await newWorld()
  document = (await world.as('anonymous').get('/openapi.json')).json()
})

/** Every object within, each as often as it is there. */
function* objectsIn(value: unknown): Generator<Json> {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) yield value as Json
  for (const one of Object.values(value)) yield* objectsIn(one)
}

const bodies = () =>
  Object.values(document.paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
    .map((content) => (content as { schema: Json }).schema)

it('tells an object that occurs twice once, and refers to it', () => {
  const records = Object.values(document.components.schemas ?? {})
  // Two records may be alike. Parameters are of their operation, and are told for each type they may come as.
  const mayRepeat = new Set<unknown>([...records, ...bodies()])
  const texts = [...objectsIn(document)]
    .filter((schema) => schema.type === 'object' && !mayRepeat.has(schema))
    .filter(({ properties }) => Object.keys(properties ?? {}).length > 0)
    .map((schema) => JSON.stringify(schema))
  const named = new Set(records.map((schema) => JSON.stringify(schema)))
  expect(texts.length).toBeGreaterThan(50)
  expect(texts.filter((text, at) => named.has(text) || texts.indexOf(text) !== at)).toEqual([])
})

it('gives a name to one shape alone', () => {
  const shapes = new Map<string, Set<string>>()
  for (const { answers, input } of endpoints) {
    for (const { title, ...shape } of objectsIn([Object.values(answers), input])) {
      if (typeof title !== 'string') continue
      shapes.set(title, (shapes.get(title) ?? new Set()).add(JSON.stringify(shape)))
    }
  }
  expect([...shapes].filter(([, known]) => known.size > 1).map(([name]) => name)).toEqual([])
  expect([...shapes.keys()].filter((name) => !/^[A-Z][A-Za-z\d]+$/.test(name))).toEqual([])
  // Of the document itself.
  expect([...shapes.keys()]).not.toContain('Error')
})

it('refers to nothing that is not there', () => {
  const { schemas = {}, responses = {} } = document.components
  const known = [
    ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
    ...Object.keys(responses).map((name) => `#/components/responses/${name}`),
  ]
  const used = [...objectsIn(document)].flatMap(({ $ref }) => $ref ?? [])
  expect(new Set(used)).toEqual(new Set(known))
})

it('has records and refusals under their names', () => {
  expect(document.paths['/projects/{id}/repository/tree']?.get).toMatchObject({
    responses: {
      200: {
        content: {
          'application/json': {
            schema: { type: 'array', items: { $ref: '#/components/schemas/TreeEntry' } },
          },
        },
      },
      404: { $ref: '#/components/responses/Refused404' },
    },
  })
  expect(document.components.schemas?.CommitRef).toEqual({
    type: 'object',
    required: ['type', 'name'],
    properties: { type: { type: 'string', enum: ['branch', 'tag'] }, name: { type: 'string' } },
  })
  expect(document.components.responses?.Refused404).toEqual({
    description: 'not-found',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  })
})
