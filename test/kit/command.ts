// Commands of the program as they are really run: processes of their own, on the data of a test's server.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject as provided } from 'vitest'
import { createDatabase } from './database.ts'
import { atFileEnd } from './file-end.ts'

export type CommandResult = { status: number | null; stdout: string; stderr: string }

type Where = { data: string; databaseUrl?: string | undefined }

/** Runs `bloomery <args>` with the settings of a place. `onStart` is given what kills it. */
export function runCommand(
  { data, databaseUrl }: Where,
  args: readonly string[],
  settings: Record<string, string> = {},
  onStart: (kill: () => void) => void = () => {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, ['dist/main.js', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      BLOOMERY_DATA: data,
      ...(databaseUrl === undefined ? {} : { BLOOMERY_DATABASE_URL: databaseUrl }),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onStart(() => void child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, ...output }))
  })
}

/** A place where no server has been: an empty folder, and on PostgreSQL an empty database. */
export async function newPlace(
  kind: 'sqlite' | 'postgres' = process.env.TEST_DB === 'postgres' ? 'postgres' : 'sqlite',
): Promise<Where> {
  const data = mkdtempSync(join(tmpdir(), 'bloomery-place-'))
  const database = kind === 'postgres' ? await createDatabase(provided('postgresUrl')) : undefined
  atFileEnd(async () => {
    await database?.drop()
    rmSync(data, { recursive: true, force: true })
  })
  return { data, databaseUrl: database?.url }
}
