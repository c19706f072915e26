// Who may do what, as one committed table: every endpoint times everybody, against a private project
// or group. A change of permission is a visible line in docs/access-matrix.md.
// UPDATE=1 npm test -- test/access-matrix.test.ts rewrites it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { endpoints } from '../src/features/families.ts'
import { askExample, nameOf } from './kit/every-example.ts'
import { forgetKept } from './kit/examples.ts'
import { everybody, newWorld } from './kit/world.ts'

const path = join(import.meta.dirname, '../docs/access-matrix.md')

it('is as docs/access-matrix.md says', { timeout: 900_000 }, async () => {
  const lines: string[] = []
  const world = await newWorld()
  for (const endpoint of endpoints) {
    const statuses: number[] = []
    for (const who of everybody) {
      const status = await (await askExample(world, endpoint, who))()
      statuses.push(status)
      if (endpoint.method !== 'GET' && status < 400) forgetKept(world)
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
