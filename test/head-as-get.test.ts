// HEAD of every address that is read answers as GET does, without the body (RFC 9110, section 9.3.2), so that it tells no more.
import { beforeAll, expect, it } from 'vitest'
import { endpoints } from '../src/features/families.ts'
import { exampleOf, nameOf } from './kit/every-example.ts'
import { newWorld, type World } from './kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

/** Documented with an answer of its own: 204 says that there is the branch. */
const exception = 'GET /projects/:id/repository/branches/:branch'

const told = ['content-type', 'location', 'x-total', 'x-per-page'] as const

it.each(['anonymous', 'outsider', 'guest', 'owner'] as const)('is so for %s', async (who) => {
  const different: unknown[] = []
  let asked = 0
  for (const endpoint of endpoints) {
    if (endpoint.method !== 'GET' || nameOf(endpoint) === exception) continue
    const { path = {}, client = world.as(who), body } = await exampleOf(endpoint)(world, who)
    const template = nameOf(endpoint).split(' ')[1] ?? ''
    const place = template.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(path[name] ?? ''),
    )
    const url = `${place}?${new URLSearchParams(body as Record<string, string>)}`
    const [get, head] = [await client.get(url), await client.head(url)]
    const of = (answer: typeof get) => [
      answer.statusCode,
      ...told.map((name) => answer.headers[name]),
    ]
    asked++
    if (head.body !== '' || JSON.stringify(of(get)) !== JSON.stringify(of(head))) {
      different.push([nameOf(endpoint), of(get), of(head), head.body.length])
    }
  }
  expect(asked).toBeGreaterThan(300)
  expect(different).toEqual([])
})
