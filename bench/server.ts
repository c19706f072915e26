// The server as users run it, `dist/main.js serve`, in a process of its own.
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { waitFor200 } from './client.ts'
import { findFreePort, startProgram, stopProgram } from './machine.ts'

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))
/** As `npm start` runs it: compiled sources are kept, and the young generation is small. */
const startFlags = ['--max-semi-space-size=4']
const compileCache = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url))

export type Server = {
  pid: number
  url: string
  /** From the start of the process to its first answer with status 200. */
  boot_ms: number
  stop: () => Promise<void>
}

type Options = {
  data: string
  /** Folder for a profile of the processor, written when the server stops. */
  profile?: string
  env?: Record<string, string>
}

/** Starts the server on a data folder; its log, at the level it has by default, goes to a file there. */
export async function startServer({ data, profile, env = {} }: Options): Promise<Server> {
  const port = await findFreePort()
  const flags = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
  const began = performance.now()
  const child = startProgram([...startFlags, ...flags, program, 'serve'], {
    logPath: join(data, 'log'),
    env: {
      NODE_COMPILE_CACHE: compileCache,
      BLOOMERY_DATA: data,
      BLOOMERY_PORT: String(port),
      BLOOMERY_SSH_PORT: '0',
      BLOOMERY_RUNNER: 'off',
      ...env,
    },
  })
  return ready(child, `http://127.0.0.1:${port}`, { path: '/-/health', began })
}

const floorProgram = fileURLToPath(new URL('./floor-server.ts', import.meta.url))

/** The bare server that sets the floor; it answers `/things/thing-5`. What it is sent it may keep in PostgreSQL. */
export async function startFloorServer(folder: string, postgresUrl?: string): Promise<Server> {
  const port = await findFreePort()
  const began = performance.now()
  const args = [String(port), join(folder, 'floor.sqlite'), ...(postgresUrl ? [postgresUrl] : [])]
  const child = startProgram([floorProgram, ...args], {
    logPath: join(folder, 'floor.log'),
    env: {},
  })
  return ready(child, `http://127.0.0.1:${port}`, { path: '/things/thing-5', began })
}

async function ready(
  child: ChildProcess,
  url: string,
  { path, began }: { path: string; began: number },
): Promise<Server> {
  try {
    await waitFor200(url + path, { every_ms: 2 })
  } catch (error) {
    await stopProgram(child)
    throw error
  }
  const boot_ms = performance.now() - began
  return { pid: child.pid ?? 0, url, boot_ms, stop: () => stopProgram(child) }
}
