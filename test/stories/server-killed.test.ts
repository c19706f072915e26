import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { newFolder, processesOf, runRealGit } from '../kit/git.ts'

const token = 'glpat-the-token-of-a-killed-server'
const running: ChildProcess[] = []
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

/** The server as it is really run, in a process of its own. */
async function serve(data: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['dist/main.js', 'serve'], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      BLOOMERY_DATA: data,
      BLOOMERY_PORT: '0',
      BLOOMERY_SSH_PORT: '0',
      BLOOMERY_ROOT_TOKEN: token,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push(child)
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    const url = /Bloomery serves (\S+)/.exec(output)?.[1]
    if (url) {
      child.stdout.resume()
      return { child, url }
    }
  }
  throw new Error(`The server did not start: ${output}`)
}

/** The programs a process has started, and those they have. */
function descendantsOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  if (children === '') return []
  return children.split(' ').flatMap((child) => [Number(child), ...descendantsOf(Number(child))])
}

it('what a killed server has started ends, and the next one takes up where it was', async () => {
  const data = newFolder()
  const { child, url } = await serve(data)
  const ask = (path: string, body: object) =>
    fetch(`${url}/api/v4${path}`, {
      method: 'POST',
      headers: { 'private-token': token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const project = (await (await ask('/projects', { name: 'kept' })).json()) as {
    id: number
    path_with_namespace: string
  }
  const commit = await ask(`/projects/${project.id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Acknowledged',
    actions: [{ action: 'create', file_path: 'a', content: 'a' }],
  })
  expect(commit.status).toBe(201)
  const { id: oid } = (await commit.json()) as { id: string }

  // A fetch and a push whose clients say nothing more.
  const { hostname, port } = new URL(url)
  const zero = '0'.repeat(40)
  const command = `${zero} ${'1'.repeat(40)} refs/heads/x\0report-status`
  for (const [service, body] of [
    ['upload', ''],
    ['receive', `00${(command.length + 4).toString(16)}${command}0000PACK\0\0\0\x02\0\0\0\x05`],
  ] as const) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(
      [
        `POST /${project.path_with_namespace}.git/git-${service}-pack HTTP/1.1`,
        'Host: localhost',
        `Authorization: Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
        `Content-Type: application/x-git-${service}-pack-request`,
        'Content-Length: 100000',
        '',
        body,
      ].join('\r\n'),
      'latin1',
    )
  }
  const gits = () => processesOf(join(data, 'repositories'))
  let started: number[] = []
  const countStarted = () => {
    started = descendantsOf(child.pid ?? 0)
    return gits().length >= 1 ? started.length : 0
  }
  // A program of git and the process that starts it. Others run for a moment, so both counts are asked until they hold.
  await expect.poll(countStarted, { timeout: 10_000 }).toBeGreaterThanOrEqual(2)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const alive = () => started.filter((pid) => existsSync(`/proc/${pid}`))
  await expect.poll(alive, { timeout: 10_000 }).toEqual([])
  expect(gits()).toEqual([])

  const next = await serve(data)
  const remote = new URL(`${next.url}/${project.path_with_namespace}.git`)
  remote.username = 'x'
  remote.password = token
  const { stdout } = await runRealGit(['ls-remote', remote.toString(), 'refs/heads/*'])
  expect(stdout).toBe(`${oid}\trefs/heads/main\n`)
})
