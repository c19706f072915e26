// Lists of a request that are longer than they may be are refused while they are read, whatever is still to come.
import { request } from 'node:http'
import type { TSchema } from 'typebox'
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/features/families.ts'
import { limits } from '../../src/kernel/limits.ts'
import { askExample } from '../kit/every-example.ts'
import { type GitWorld, newGitWorld } from '../kit/git.ts'
import { longestStall } from '../kit/stall.ts'

/** On a machine that others use too. */
const stall_ms_max = 1000
const answer_ms_max = 10_000

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

type Answered = { status: number; body: string; sent_bytes: number }

/** Sends pieces until there is an answer, as clients do that read while they write. */
function send(path: string, token: string, pieces: Iterable<string>): Promise<Answered> {
  return new Promise((resolve, reject) => {
    let sent_bytes = 0
    let isAnswered = false
    const sending = request(
      `${world.url}/api/v4${path}`,
      { method: 'POST', headers: { 'private-token': token, 'content-type': 'application/json' } },
      async (response) => {
        isAnswered = true
        let body = ''
        for await (const chunk of response.setEncoding('utf8')) body += chunk
        resolve({ status: response.statusCode ?? 0, body, sent_bytes })
        sending.destroy()
      },
    )
    sending.on('error', (error) => !isAnswered && reject(error))
    const write = async () => {
      for (const piece of pieces) {
        if (isAnswered) return
        sent_bytes += piece.length
        if (!sending.write(piece)) {
          await new Promise((go) => setTimeout(go, 5))
        }
      }
      if (!isAnswered) sending.end()
    }
    write()
  })
}

function* listOf(head: string, item: string, count: number): Generator<string> {
  yield head
  const run = 1000
  for (let at = 0; at < count; at += run)
    yield `${at > 0 ? ',' : ''}${Array(run).fill(item).join(',')}`
  yield ']}'
}

it('a commit of two million actions is refused at once', async () => {
  const project = await world.newProject({ files: { a: 'a' } })
  const action = '{"action":"create","file_path":"a"}'
  const pieces = listOf('{"branch":"main","commit_message":"m","actions":[', action, 2_000_000)
  const path = `/projects/${project.id}/repository/commits`
  let answered: Answered | undefined
  const stall = await longestStall(async () => {
    answered = await send(path, world.token('maintainer'), pieces)
  })
  expect(answered).toMatchObject({
    status: 400,
    body: '{"message":"400 Bad request - too many parameters"}',
  })
  expect(answered?.sent_bytes).toBeLessThan(20_000_000)
  expect(stall).toBeLessThan(stall_ms_max)
})

it('a body that is no JSON is refused where it goes wrong, whatever follows', async () => {
  const project = await world.newProject({ files: { a: 'a' } })
  const pieces = listOf('{"branch":"main","actions":[}', '"a"', 20_000_000)
  const path = `/projects/${project.id}/repository/commits`
  const answered = await send(path, world.token('maintainer'), pieces)
  expect(answered.status).toBe(400)
  expect(answered.sent_bytes).toBeLessThan(20_000_000)
})

type Property = TSchema & {
  type?: string
  enum?: unknown[]
  anyOf?: Property[]
  items?: Property
  maxItems?: number
  properties?: Record<string, Property>
}

const innerOf = (property: Property) =>
  property.anyOf?.find(({ type }) => type !== 'null') ?? property

/** Every list that an operation takes. */
const lists = endpoints.flatMap((endpoint) =>
  Object.entries(((endpoint.input ?? {}) as Property).properties ?? {})
    .map(([name, property]) => ({ endpoint, name, list: innerOf(property) }))
    .filter(({ list }) => list.type === 'array'),
)

function itemOf(property: Property | undefined, at: number): unknown {
  const inner = innerOf(property ?? ({ type: 'string' } as Property))
  if (inner.enum) return inner.enum[at % inner.enum.length]
  if (inner.type === 'integer' || inner.type === 'number') return 1_000_000 + at
  if (inner.type === 'boolean') return true
  if (inner.type !== 'object') return `item${at}`
  const members = Object.entries(inner.properties ?? {})
  return Object.fromEntries(members.map(([name, member]) => [name, itemOf(member, at)]))
}

it('there are lists to walk', () => {
  expect(lists.length).toBeGreaterThan(50)
})

describe.each(lists)('$endpoint.method $endpoint.path', ({ endpoint, name, list }) => {
  it(`answers soon for the longest ${name}`, async () => {
    const isInUrl = endpoint.method === 'GET'
    const most = isInUrl ? 1000 : (list.maxItems ?? limits.parameter_members)
    const items = Array.from({ length: most }, (_, at) => itemOf(list.items, at))
    const sent = { [name]: isInUrl ? items.join(',').slice(0, 14_000) : items }
    const ask = await askExample(world, endpoint, 'admin', sent)
    const began = performance.now()
    let status = 0
    const stall = await longestStall(async () => {
      status = await ask()
    })
    expect(status).toBeLessThan(500)
    expect(stall).toBeLessThan(stall_ms_max)
    expect(performance.now() - began).toBeLessThan(answer_ms_max)
    if (isInUrl) return
    const more = Array.from({ length: most + 1 }, (_, at) => itemOf(list.items, at))
    const refused = await askExample(world, endpoint, 'admin', { [name]: more })
    // Beyond what the whole body may be, nothing in it is looked at.
    expect([400, 413]).toContain(await refused())
  })
})
