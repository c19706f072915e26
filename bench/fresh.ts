// A server on an empty folder with its administrator's token, filled as users fill it: by the API and by git.
import { mkdirSync } from 'node:fs'
import type { Bench } from './bench.ts'
import { callWell } from './client.ts'
import { runGit } from './machine.ts'
import { type Server, startServer } from './server.ts'

export type Fresh = {
  server: Server
  data: string
  headers: Record<string, string>
  /** Sends JSON as the administrator and reads the answer's. */
  send: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>
  /** Fills a new repository by `git fast-import` and pushes branches of it, `main` unless others are named. */
  push: (
    fullPath: string,
    content: Iterable<string | Buffer>,
    branches?: readonly string[],
  ) => Promise<void>
}

const token = 'bench-token-of-the-administrator'

export async function freshServer(bench: Bench, env: Record<string, string> = {}): Promise<Fresh> {
  const data = bench.newFolder('fresh')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const server = await startServer({ data, env: { BLOOMERY_ROOT_TOKEN: token, ...env } })
  bench.whenClosed(() => server.stop())
  const headers = { 'private-token': token }
  return {
    server,
    data,
    headers,
    async send(method, path, body) {
      const answer = await callWell(`${server.url}/api/v4${path}`, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      return JSON.parse(answer.body.toString() || '{}')
    },
    async push(fullPath, content, branches = ['main']) {
      const repository = bench.newFolder('pushed')
      await runGit(['init', '--bare', '--quiet', repository])
      const within = `--git-dir=${repository}`
      await runGit([within, 'fast-import', '--quiet'], content)
      const remote = new URL(`${server.url}/${fullPath}.git`)
      remote.username = 'bench'
      remote.password = token
      await runGit([within, 'push', '--quiet', remote.toString(), ...branches])
    },
  }
}
