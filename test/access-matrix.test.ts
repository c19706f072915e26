// Who may do what, as one committed table: every endpoint times everybody, against a private project
// or group. A change of permission is a visible line in docs/access-matrix.md.
// UPDATE=1 npm test -- test/access-matrix.test.ts rewrites it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { endpoints } from '../src/features/families.ts'
import type { Endpoint } from '../src/http/endpoint.ts'
import { type Examples, kept } from './kit/examples.ts'
import { everybody, newWorld, type Who, type World } from './kit/world.ts'

const path = join(import.meta.dirname, '../docs/access-matrix.md')

const features = join(import.meta.dirname, '../src/features')
const files = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.examples.ts'),
)
const modules: { examples: Examples }[] = await Promise.all(
  files.map((name) => import(join(features, name))),
)
const examples: Examples = Object.assign({}, ...modules.map((module) => module.examples))

const nameOf = ({ method, path }: Endpoint) => `${method} ${path.replace(/\(\^[^)]*\)/g, '')}`

async function ask(world: World, endpoint: Endpoint, who: Who): Promise<number> {
  const example = examples[nameOf(endpoint)]
  if (!example) throw new Error(`No family has an example for ${nameOf(endpoint)}`)
  const { path = {}, body, client = world.as(who) } = await example(world, who)
  const template = nameOf(endpoint).split(' ')[1] ?? ''
  const url = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  if (endpoint.method === 'GET') {
    const query = new URLSearchParams(body as Record<string, string>).toString()
    return (await client.get(query ? `${url}?${query}` : url)).statusCode
  }
  const method = endpoint.method.toLowerCase() as 'post' | 'put' | 'patch' | 'delete'
  return (await client[method](url, body)).statusCode
}

it('is as docs/access-matrix.md says', { timeout: 360_000 }, async () => {
  const lines: string[] = []
  const world = await newWorld()
  for (const endpoint of endpoints) {
    const statuses: number[] = []
    for (const who of everybody) {
      const status = await ask(world, endpoint, who)
      statuses.push(status)
      if (endpoint.method !== 'GET' && status < 400) kept.clear()
    }
    const name = `${nameOf(endpoint)}${endpoint.tier === 'free' ? '' : ` (${endpoint.tier})`}`
    lines.push(`| ${name} | ${statuses.join(' | ')} |`)
  }
  const document = [
    '# Who may do what',
    '',
    'The status each caller gets for a good request about a private project or group of which the roles',
    'are members. Made by `test/access-matrix.test.ts`, which fails when it is no longer true.',
    '',
    `| operation | ${everybody.join(' | ')} |`,
    `|---|${everybody.map(() => '---|').join('')}`,
    ...lines,
    '',
  ].join('\n')
  if (process.env.UPDATE) writeFileSync(path, document)
  expect(document).toBe(readFileSync(path, 'utf8'))
})
