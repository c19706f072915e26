// The server as it is really run: a process of its own, on an empty folder, asked by HTTP. For stories of pages
// alone (vitest.config.ts) it hashes passwords cheaply: their many signings-in would be a good part of what they take.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { atFileEnd } from './file-end.ts'
import { newFolder } from './git.ts'

export type Server = {
  url: string
  pid: number
  data: string
  root: { login: string; password: string; token: string }
  /** What it printed while it started. On a first start this has the password and the token of root, unless settings gave them. */
  greeting: string
  /** Asks the API as root, or by another token; answers JSON, throws what was refused. */
  ask: <T = Record<string, never>>(
    route: string,
    body?: object,
    options?: { token?: string },
  ) => Promise<T>
  stop: (signal?: NodeJS.Signals) => Promise<void>
}

const root = {
  login: 'root',
  password: 'a long pass phrase of root',
  token: 'glpat-the-token-of-a-whole-server',
}

const cheapHashes = join(import.meta.dirname, 'hash-cheaply.mjs')

/** A command before another one that runs it where no user namespaces can be made, as an administrator may decide. */
export const withoutNamespaces = [
  ...['unshare', '--user', '--map-root-user', '/bin/sh', '-c'],
  ...['echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"', 'sh'],
]

/**
 * Starts it, by default without a runner and without SSH; it ends with the test's file. `wrapper` is a command that
 * becomes the one behind it.
 */
export async function startServer(
  settings: Record<string, string> = {},
  wrapper: readonly string[] = [],
): Promise<Server> {
  const data = settings.BLOOMERY_DATA ?? newFolder()
  const options = process.env.TEST_HASHES === 'cheap' ? ['--import', cheapHashes] : []
  const command = [process.execPath, ...options, 'dist/main.js', 'serve']
  const [program = '', ...args] = [...wrapper, ...command]
  const child = spawn(program, args, {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      BLOOMERY_DATA: data,
      BLOOMERY_PORT: '0',
      BLOOMERY_SSH_PORT: '0',
      BLOOMERY_RUNNER: 'off',
      BLOOMERY_LOG_LEVEL: 'warn',
      BLOOMERY_ROOT_PASSWORD: root.password,
      BLOOMERY_ROOT_TOKEN: root.token,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  atFileEnd(() => stop('SIGKILL'))
  const { url, greeting } = await readGreeting(child)
  const ask: Server['ask'] = async (route, body, { token = root.token } = {}) => {
    const [method = '', path = ''] = route.split(' ')
    const response = await fetch(`${url}/api/v4${path}`, {
      method,
      headers: { 'private-token': token, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${route}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  return { url, pid: child.pid ?? 0, data, root, greeting, ask, stop }
}

async function readGreeting(
  child: ReturnType<typeof spawn>,
): Promise<{ url: string; greeting: string }> {
  let output = ''
  child.stderr?.on('data', (text) => {
    output += text
  })
  for await (const chunk of child.stdout ?? []) {
    output += chunk
    const url = /Bloomery serves (\S+)/.exec(output)?.[1]
    if (!url) continue
    child.stdout?.resume()
    return { url, greeting: output }
  }
  throw new Error(`The server did not start: ${output}`)
}
