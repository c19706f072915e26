// The first step of a job: checks out its commit in the folder of the project, with git.
import { lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobPayload } from '../src/ci/protocol.ts'
import { removeFolderForcibly } from './files.ts'
import { quoteForShell } from './shell.ts'

type PlannedFrom = 'git_info' | 'job_info' | 'allow_git_fetch'
type VariableOf = (name: string) => string | undefined

export type SourcesStrategy = 'clone' | 'fetch' | 'none' | 'empty'

export type SourcesPlan = {
  strategy: SourcesStrategy
  /** Shell commands to run in the folder. */
  script: string
  /** Variables besides those of the job. They contain the credentials, which are therefore stored in no file. */
  environment: Record<string, string>
}

/** The parts of an earlier checkout that are reused. Anything else could make git run programs that a job left there. */
const kept = ['objects', 'refs', 'packed-refs', 'shallow', 'HEAD', 'index']

/** Reads what the variables say of the checkout; throws an Error for what cannot be done. */
export function planSourcesCheckout(
  { git_info, job_info, allow_git_fetch }: Pick<JobPayload, PlannedFrom>,
  { serverUrl, variableOf }: { serverUrl: string; variableOf: VariableOf },
): SourcesPlan {
  const strategy = readStrategy(variableOf('GIT_STRATEGY'), allow_git_fetch)
  if (strategy === 'none' || strategy === 'empty') return { strategy, script: '', environment: {} }
  const url = new URL(git_info.repo_url)
  const authorization = credentialsOf(url)
  url.username = ''
  url.password = ''
  const base = baseOf(url.href, job_info.project_full_path)
  const lines = [
    'set -e',
    ...initLines(git_info, url.href),
    fetchLine(git_info, variableOf('GIT_FETCH_EXTRA_FLAGS') ?? '--prune --quiet'),
  ]
  if (variableOf('GIT_CHECKOUT') !== 'false') {
    // Submodules of the previous job may belong to repositories that are no longer used.
    lines.push(
      'if [ -e .gitmodules ]; then git submodule deinit --force --all >/dev/null 2>&1 || true; fi',
    )
    lines.push(`git checkout --force --quiet --detach ${quoteForShell(git_info.sha)}`)
    const flags = variableOf('GIT_CLEAN_FLAGS') ?? '-ffdx'
    if (flags !== 'none') lines.push(`git clean --quiet ${words(flags)}`)
    if (variableOf('GIT_LFS_SKIP_SMUDGE') !== '1') {
      lines.push('if git lfs version >/dev/null 2>&1; then git lfs pull; fi')
    }
    lines.push(...submoduleLines(variableOf))
  }
  return {
    strategy,
    script: `${lines.join('\n')}\n`,
    environment: {
      GIT_TERMINAL_PROMPT: '0',
      ...gitSettings({
        // git uses the URL at which this runner reaches the server, which may differ from the server's public
        // URL.
        ...(base === undefined ? {} : { [`url.${serverUrl}/.insteadOf`]: base }),
        // The header is sent to this server only, and not to other servers with submodules.
        ...(authorization === undefined
          ? {}
          : {
              [`http.${base === undefined ? url.origin : serverUrl}/.extraHeader`]: `Authorization: ${authorization}`,
            }),
      }),
    },
  }
}

/** Returns the part of a repository's URL before the path of its project; undefined if the URL has another path. */
function baseOf(url: string, fullPath: unknown): string | undefined {
  const end = `${fullPath}.git`
  return typeof fullPath === 'string' && url.endsWith(`/${end}`)
    ? url.slice(0, -end.length)
    : undefined
}

/** Returns the environment for settings of git, which are then in no file and no list of arguments. */
function gitSettings(settings: Record<string, string>): Record<string, string> {
  const entries = Object.entries(settings)
  const environment: Record<string, string> = { GIT_CONFIG_COUNT: String(entries.length) }
  entries.forEach(([key, value], i) => {
    environment[`GIT_CONFIG_KEY_${i}`] = key
    environment[`GIT_CONFIG_VALUE_${i}`] = value
  })
  return environment
}

/** Makes the folder what the strategy begins with. */
export async function prepareSourcesFolder(
  folder: string,
  strategy: SourcesStrategy,
): Promise<void> {
  if (strategy === 'clone' || strategy === 'empty') await removeFolderForcibly(folder)
  await mkdir(folder, { recursive: true })
  if (strategy !== 'fetch') return
  const repository = join(folder, '.git')
  const stats = await lstat(repository).catch(() => undefined)
  if (stats && !stats.isDirectory()) await removeFolderForcibly(repository)
  for (const name of await readdir(repository).catch(() => [])) {
    if (!kept.includes(name)) await removeFolderForcibly(join(repository, name))
  }
}

function readStrategy(text: string | undefined, allowsFetch: boolean): SourcesStrategy {
  if (text === undefined || text === '') return allowsFetch ? 'fetch' : 'clone'
  if (text === 'clone' || text === 'fetch' || text === 'none' || text === 'empty') return text
  throw new Error(`GIT_STRATEGY must be clone, fetch, none or empty, not ${text}.`)
}

function initLines({ repo_object_format }: JobPayload['git_info'], url: string): string[] {
  const format = repo_object_format === 'sha256' ? ' --object-format=sha256' : ''
  return [
    `git -c init.defaultBranch=none init --quiet --template=${format}`,
    'git config gc.auto 0',
    'git config fetch.recurseSubmodules false',
    `git remote add origin ${quoteForShell(url)}`,
  ]
}

function fetchLine({ refspecs, depth }: JobPayload['git_info'], flags: string): string {
  const options = ['--no-recurse-submodules', words(flags)]
  const bad = refspecs.find((refspec) => refspec.startsWith('-'))
  if (bad !== undefined) throw new Error(`Invalid refspec: ${bad}`)
  const command = (more: string[]) =>
    ['git fetch origin', ...refspecs.map(quoteForShell), ...options, ...more].join(' ')
  if (depth > 0) return command([`--depth ${depth}`])
  return `if [ -e .git/shallow ]; then ${command(['--unshallow'])}; else ${command([])}; fi`
}

function submoduleLines(variableOf: VariableOf): string[] {
  const strategy = variableOf('GIT_SUBMODULE_STRATEGY') ?? 'none'
  if (strategy === 'none' || strategy === '') return []
  if (strategy !== 'normal' && strategy !== 'recursive') {
    throw new Error(`GIT_SUBMODULE_STRATEGY must be none, normal or recursive, not ${strategy}.`)
  }
  const recursive = strategy === 'recursive' ? ' --recursive' : ''
  const depth = Number(variableOf('GIT_SUBMODULE_DEPTH') ?? 0)
  const flags = variableOf('GIT_SUBMODULE_UPDATE_FLAGS') ?? ''
  const paths = variableOf('GIT_SUBMODULE_PATHS') ?? ''
  const chosen = paths === '' ? '' : ` -- ${words(paths)}`
  return [
    `git submodule sync --quiet${recursive}${chosen}`,
    [
      `git submodule update --init --force${recursive}`,
      depth > 0 ? ` --depth ${depth}` : '',
      flags === '' ? '' : ` ${words(flags)}`,
      chosen,
    ].join(''),
  ]
}

/** Splits flags in a variable into quoted words. */
function words(text: string): string {
  return text.split(' ').filter(Boolean).map(quoteForShell).join(' ')
}

function credentialsOf(url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}
