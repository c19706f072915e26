// Writes docs/schema.md from the migrated schema of both databases: `npm run schema`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../test/kit/postgres.ts'
import { describeSchema } from '../test/kit/schema-doc.ts'

const { url, stop } = await startPostgres()
try {
  writeFileSync(join(import.meta.dirname, '../docs/schema.md'), await describeSchema(url))
} finally {
  await stop()
}
