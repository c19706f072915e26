// Writes docs/schema.md and src/db/schema.ts from the migrated schema of both databases: `npm run schema`.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../test/kit/postgres.ts'
import { describeSchema } from './describe-schema.ts'

const root = join(import.meta.dirname, '..')
const { url, stop } = await startPostgres()
try {
  const { document, types } = await describeSchema(url)
  writeFileSync(join(root, 'docs/schema.md'), document)
  writeFileSync(join(root, 'src/db/schema.ts'), types)
  spawnSync('node_modules/.bin/biome', ['format', '--write', 'src/db/schema.ts'], { cwd: root })
} finally {
  await stop()
}
