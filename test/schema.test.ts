import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { createDatabase } from './kit/database.ts'
import { describeSchema } from './kit/schema-doc.ts'

it('docs/schema.md is as the migrations make it (npm run schema)', async () => {
  const written = readFileSync(join(import.meta.dirname, '../docs/schema.md'), 'utf8')
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  expect(await describeSchema(url)).toBe(written)
  await drop()
})
