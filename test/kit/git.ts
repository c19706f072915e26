// Real git against a listening server, in an environment of its own: nobody's configuration, no
// questions, no agent of the machine.
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Project, projectRepository } from '../../src/subjects/project.ts'
import { startApp, type TestApp } from './app.ts'
import { atFileEnd } from './file-end.ts'
import { newWorld, type World } from './world.ts'

export type GitResult = { status: number | null; stdout: string; stderr: string }
export type GitOptions = {
  /** Where it runs; the desk's folder by default. */
  cwd?: string
  /** Settings of this run, as with `git -c`. */
  config?: Record<string, string>
  env?: Record<string, string>
  stdin?: string | Buffer
}

let folder: string | undefined

/** A new folder, removed with the tests of this file. */
export function newFolder(): string {
  folder ??= newFoldersFolder()
  const path = join(folder, randomUUID())
  mkdirSync(path)
  return path
}

function newFoldersFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'bloomery-git-'))
  atFileEnd(() => {
    folder = undefined
    rmSync(path, { recursive: true, force: true })
  })
  return path
}

const environment = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'true',
  GIT_AUTHOR_NAME: 'The Author',
  GIT_AUTHOR_EMAIL: 'author@bloomery.test',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'The Committer',
  GIT_COMMITTER_EMAIL: 'committer@bloomery.test',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
}

/** Runs git to its end, whatever that is. */
export function runRealGit(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const { cwd = newFolder(), config = {}, env = {}, stdin = '' } = options
  const settings = Object.entries({ 'init.defaultBranch': 'main', 'gc.auto': '0', ...config })
  const id = ++asked
  const result = Promise.withResolvers<GitResult>()
  waiting.set(id, result)
  findHelper().send({
    id,
    args: [...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]), ...args],
    cwd,
    env: { ...environment, HOME: cwd, ...env },
    stdin,
  })
  return result.promise
}

type HelperAnswer = { id: number; failure?: string } & GitResult
const waiting = new Map<number, PromiseWithResolvers<GitResult>>()
let asked = 0
let helper: ChildProcess | undefined

/** The one that starts git for this process, as long as that runs. */
function findHelper(): ChildProcess {
  if (helper?.connected) return helper
  const started = fork(join(import.meta.dirname, 'git-helper.mjs'), {
    execArgv: [],
    // Files come as bytes.
    serialization: 'advanced',
  })
  started.on('message', ({ id, failure, ...result }: HelperAnswer) => {
    const asker = waiting.get(id)
    waiting.delete(id)
    if (failure === undefined) asker?.resolve(result)
    else asker?.reject(new Error(failure))
  })
  started.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The helper that runs git died.'))
    waiting.clear()
  })
  // It keeps no process from its end.
  started.unref()
  started.channel?.unref()
  helper = started
  return started
}

/** A working copy: git in its folder, and the steps every story takes. */
export class WorkingCopy {
  readonly path: string

  constructor(path = newFolder()) {
    this.path = path
  }

  run(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
    return runRealGit(args, { cwd: this.path, ...options })
  }

  /** Runs git where only success makes sense, and answers what it printed. */
  async must(args: readonly string[], options: GitOptions = {}): Promise<string> {
    const { status, stdout, stderr } = await this.run(args, options)
    if (status !== 0) throw new Error(`git ${args.join(' ')} ended with ${status}: ${stderr}`)
    return stdout.trim()
  }

  /** Commits `files` (or nothing) on what is checked out and answers the commit's name. */
  async commit(files: Record<string, string | Buffer> = {}, message = 'A commit'): Promise<string> {
    for (const [name, content] of Object.entries(files)) {
      const blob = await this.must(['hash-object', '-w', '--stdin'], { stdin: content })
      await this.must(['update-index', '--add', '--cacheinfo', `100644,${blob},${name}`])
    }
    await this.must(['commit', '--quiet', '--allow-empty', '-m', message])
    return this.must(['rev-parse', 'HEAD'])
  }
}

/** A world whose server listens, so that git can reach it. */
export type GitWorld = World & {
  url: string
  /** The clone URL of a project with the credentials of one of the world's people, or none. */
  remote: (
    project: Project,
    as?: Parameters<World['token']>[0] | { password: string; username?: string },
  ) => string
  /** A new working copy with one commit and `origin` set. */
  begin: (project: Project, as?: Parameters<World['token']>[0]) => Promise<WorkingCopy>
  /** A clone as somebody who may. */
  clone: (project: Project, options?: CloneOptions) => Promise<WorkingCopy>
  /** Where the project's repository lies. */
  repository: (project: Project) => string
  /** All references of the project's repository. */
  refs: (project: Project) => Promise<Record<string, string>>
  /** What a push or a crash could leave behind in the repository: quarantines, temporary files, locks. */
  leftovers: (project: Project) => string[]
}
type CloneOptions = {
  as?: Parameters<World['token']>[0]
  args?: string[]
  config?: Record<string, string>
}

let shared: Promise<{ app: TestApp; url: string }> | undefined

/** The listening application of this file. Its links name the address it is reached at. */
async function startListening(
  settings: Record<string, string>,
): Promise<{ app: TestApp; url: string }> {
  const starting = startApp({ BLOOMERY_URL: '', ...settings })
  atFileEnd(async () => {
    shared = undefined
    await (await starting).close()
  })
  const app = await starting
  return { app, url: await app.server.listen({ host: '127.0.0.1', port: 0 }) }
}

/** `settings` are those of the application, which the first world of a file starts. */
export async function newGitWorld(settings: Record<string, string> = {}): Promise<GitWorld> {
  shared ??= startListening(settings)
  const { app, url } = await shared
  const world = await newWorld(app)
  const repository = (project: Project) => projectRepository(app.config, project).path
  const remote: GitWorld['remote'] = (project, as = 'owner') => {
    const { username = 'anyone', password } =
      typeof as === 'string' ? { password: world.token(as) } : as
    const address = new URL(`${url}/${project.full_path}.git`)
    address.username = encodeURIComponent(username)
    address.password = encodeURIComponent(password)
    return address.toString()
  }
  return {
    ...world,
    url,
    remote,
    repository,
    async begin(project, as) {
      const copy = new WorkingCopy()
      await copy.must(['init', '--quiet'])
      await copy.must(['remote', 'add', 'origin', remote(project, as)])
      return copy
    },
    async clone(project, { as, args = [], config } = {}) {
      const path = join(newFolder(), 'copy')
      const result = await runRealGit(['clone', ...args, remote(project, as), path], { config })
      if (result.status !== 0) throw new Error(`git clone failed: ${result.stderr}`)
      return new WorkingCopy(path)
    },
    async refs(project) {
      const path = repository(project)
      const { stdout } = await runRealGit(['for-each-ref', '--format=%(refname) %(objectname)'], {
        cwd: path,
        env: { GIT_DIR: path },
      })
      return Object.fromEntries(
        stdout
          .split('\n')
          .filter(Boolean)
          .map((line) => line.split(' ')),
      )
    },
    leftovers(project) {
      const names = readdirSync(repository(project), { recursive: true }).map(String)
      return names.filter((name) => /incoming-|tmp_|\.lock$|\.new/.test(name))
    },
  }
}

/** Processes that work on a repository: it stands in their arguments or is where they are. */
export function processesOf(repository: string): number[] {
  const found: number[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const command = readFileSync(join('/proc', name, 'cmdline'), 'utf8')
      const place = readlinkSync(join('/proc', name, 'cwd'))
      if (command.includes(repository) || place.startsWith(repository)) found.push(Number(name))
    } catch {
      // It ended while it was looked at.
    }
  }
  return found
}
