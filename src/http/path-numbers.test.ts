// Numbers in paths beyond what columns hold name nothing, on both databases.
import { expect, it } from 'vitest'
import { newWorld } from '../../test/kit/world.ts'
import { endpoints } from '../features/families.ts'
import { limits } from '../kernel/limits.ts'

type Schema = { properties?: Record<string, { type?: string }> }

/** Names of path parameters that are whole numbers. */
function numbersOf({ path, input, on }: (typeof endpoints)[number]): string[] {
  const declared = {
    ...on?.parameters,
    ...(input as Schema | undefined)?.properties,
  } as Schema['properties']
  return [...path.matchAll(/:(\w+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => name.endsWith('iid') || declared?.[name]?.type === 'integer')
}

const asked = endpoints.filter(
  (endpoint) => ['GET', 'DELETE'].includes(endpoint.method) && numbersOf(endpoint).length > 0,
)

it.each([
  ['32 bits', limits.integer_max + 1],
  ['15 digits', 999_999_999_999_999],
])('what a number beyond %s names is not found', async (_, number) => {
  const world = await newWorld()
  const { projects, groups, as } = world
  const answers = []
  for (const endpoint of asked) {
    const numbers = numbersOf(endpoint)
    const owner = endpoint.path.startsWith('/groups/') ? groups.open : projects.open
    const url = endpoint.path
      .replace(/\(\^[^)]*\)/g, '')
      .replace(/:(\w+)/g, (_, name) =>
        numbers.includes(name) ? String(number) : name === 'id' ? String(owner.id) : 'x',
      )
    const client = as('admin')
    const { statusCode, body } = await (endpoint.method === 'GET'
      ? client.get(url)
      : client.delete(url))
    // One operation wants a parameter beside its path.
    if (!body.includes('is missing'))
      answers.push([`${endpoint.method} ${endpoint.path}`, statusCode])
  }
  expect(answers.length).toBeGreaterThan(50)
  expect(answers.filter(([, status]) => status === 400 || Number(status) >= 500)).toEqual([])
})
