// Which operations leave an audit event, as one committed list: each write, asked once by an
// administrator. An operation that begins or ceases to be told is a visible line in docs/audited-operations.md
// (docs/decisions/0034-audit-events-are-told-by-what-they-tell-of.md).
// UPDATE=1 npm test -- test/audited-operations.test.ts rewrites it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { endpoints } from '../src/features/families.ts'
import { askExample, nameOf } from './kit/every-example.ts'
import { forgetKept } from './kit/examples.ts'
import { newWorld, type World } from './kit/world.ts'

const path = join(import.meta.dirname, '../docs/audited-operations.md')

async function eventsSince({ app }: World, id: number) {
  const rows = await app.db
    .selectFrom('audit_events')
    .select(['id', 'action', 'target_details'])
    .where('id', '>', id)
    .orderBy('id')
    .execute()
  return { last: rows.at(-1)?.id ?? id, actions: rows.map(({ action }) => action) }
}

it('is as docs/audited-operations.md says', { timeout: 120_000 }, async () => {
  const world = await newWorld()
  const lines: string[] = []
  let last = 0
  for (const endpoint of endpoints.filter(({ method }) => method !== 'GET')) {
    const ask = await askExample(world, endpoint, 'admin')
    last = (await eventsSince(world, last)).last
    const status = await ask()
    forgetKept(world)
    const { actions } = await eventsSince(world, last)
    if (status < 400) {
      lines.push(`| ${nameOf(endpoint)} | ${[...new Set(actions)].join(', ')} |`)
    }
  }
  const audited = lines.filter((line) => !line.endsWith('|  |'))
  const silent = lines.filter((line) => line.endsWith('|  |')).map((line) => line.slice(2, -4))
  const document = [
    '# What is told of by audit events',
    '',
    'Every operation that writes, with what it tells when an administrator asks for it. Made by',
    '`test/audited-operations.test.ts`, which fails when it is no longer true.',
    '',
    '| operation | event |',
    '|---|---|',
    ...audited,
    '',
    '## Nothing is told of',
    '',
    ...silent.map((name) => `- ${name.trim()}`),
    '',
  ].join('\n')
  if (process.env.UPDATE) writeFileSync(path, document)
  expect(document).toBe(readFileSync(path, 'utf8'))
})
