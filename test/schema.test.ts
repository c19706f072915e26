import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { describeSchema } from '../tools/describe-schema.ts'
import { createDatabase } from './kit/database.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
/** Formatting breaks and indents lines, leads a broken union with a bar, and ends lines without semicolons. */
const unformatted = (text: string) =>
  text
    .replace(/;/g, '')
    .replace(/"/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/([:<]) \| /g, '$1 ')
    .replace(/< | >/g, (mark) => mark.trim())

it('docs/schema.md and src/db/schema.ts are as the migrations make them (npm run schema)', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  const { document, types } = await describeSchema(url)
  expect(document).toBe(read('docs/schema.md'))
  expect(unformatted(types)).toBe(unformatted(read('src/db/schema.ts')))
  await drop()
})
