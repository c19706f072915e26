// The built-in runner, a separate program: `node runner/main.ts run|register ...`, or `bloomery runner run|register
// ...`.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { buildRunnerInfo, runJobs } from './job-loop.ts'
import { ProtocolClient } from './protocol-client.ts'
import { findSandboxProblem } from './sandbox.ts'

const usage = `Usage:
  runner register --url <server> --registration-token <token> [--description <text>]
                  [--tag-list a,b] [--run-untagged false] [--locked true] [--paused true]
                  [--access-level ref_protected] [--maximum-timeout <seconds>]
  runner run --url <server> --data <folder> [--token <token>] [--token-stdin]
             [--concurrency <number>] [--isolation required|ask|off] [--hidden <path>]...
             [--exit-when-idle <seconds>]

Tokens may be set in the environment instead: BLOOMERY_RUNNER_TOKEN, BLOOMERY_REGISTRATION_TOKEN.
Each job runs in a sandbox. If the system provides none, the runner does not start (required, the
default), leaves the decision to an administrator of the server (ask), or runs jobs without one (off).
Files and folders named by --hidden are hidden from jobs.
With --token-stdin the runner reads its token from the first line of the input, and stops when the input ends.
`

const options = {
  url: { type: 'string' },
  token: { type: 'string' },
  'token-stdin': { type: 'boolean' },
  data: { type: 'string' },
  concurrency: { type: 'string' },
  isolation: { type: 'string' },
  hidden: { type: 'string', multiple: true },
  'exit-when-idle': { type: 'string' },
  'registration-token': { type: 'string' },
  description: { type: 'string' },
  'tag-list': { type: 'string' },
  'run-untagged': { type: 'string' },
  locked: { type: 'string' },
  paused: { type: 'string' },
  'access-level': { type: 'string' },
  'maximum-timeout': { type: 'string' },
} as const

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
) as { version: string }
const searchPath = process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin'

class UsageError extends Error {}

function log(text: string): void {
  process.stderr.write(`runner: ${text}\n`)
}

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

type Given = ReturnType<typeof readArguments>['values']

async function dispatch(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args)
  const [command, ...others] = positionals
  const commands = { register, run }
  if (command === undefined) throw new UsageError('Missing command.')
  if (command !== 'register' && command !== 'run') {
    throw new UsageError(`Unknown command: ${command}`)
  }
  if (others.length > 0) throw new UsageError(`Unexpected argument: ${others[0]}`)
  if (values.url === undefined) throw new UsageError('Missing option: --url <server>')
  await commands[command](new ProtocolClient(values.url), values)
}

/** Registers a runner and prints its token, which `run` needs. */
async function register(client: ProtocolClient, given: Given): Promise<void> {
  const token = given['registration-token'] ?? process.env.BLOOMERY_REGISTRATION_TOKEN
  if (!token) throw new UsageError('Missing option: --registration-token <token>')
  const flag = (text: string | undefined) => (text === undefined ? undefined : text === 'true')
  const timeout_s = given['maximum-timeout']
  const runner = await client.register({
    token,
    description: given.description,
    tag_list: given['tag-list'],
    run_untagged: flag(given['run-untagged']),
    locked: flag(given.locked),
    paused: flag(given.paused),
    access_level: given['access-level'] as 'not_protected' | 'ref_protected' | undefined,
    maximum_timeout: timeout_s === undefined ? undefined : Number(timeout_s),
    info: buildRunnerInfo({ version, searchPath }),
  })
  process.stdout.write(`${runner.token}\n`)
}

async function run(client: ProtocolClient, given: Given): Promise<void> {
  if (given.data === undefined) throw new UsageError('Missing option: --data <folder>')
  const concurrency = Number(given.concurrency ?? Math.min(availableParallelism(), 4))
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new UsageError(`--concurrency takes a whole number from 1, not ${given.concurrency}.`)
  }
  const idle_s = Number(given['exit-when-idle'] ?? Number.POSITIVE_INFINITY)
  if (!(idle_s > 0)) {
    throw new UsageError(`--exit-when-idle takes seconds, not ${given['exit-when-idle']}.`)
  }
  const data = resolve(given.data)
  const problem = await findIsolationProblem(given.isolation ?? 'required')
  const leaving = new AbortController()
  const stopping = new AbortController()
  const leave = () => leaving.abort()
  const stop = () => {
    leave()
    stopping.abort()
  }
  process.on('SIGQUIT', leave)
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  const token = given['token-stdin']
    ? await readToken()
    : (given.token ?? process.env.BLOOMERY_RUNNER_TOKEN)
  if (!token) throw new UsageError('Missing option: --token <token>')
  // Scripts get an environment of their own. The token is removed in case anything else reads this one.
  delete process.env.BLOOMERY_RUNNER_TOKEN
  await client.verify({ token }, leaving.signal)
  log(`started url=${given.url} concurrency=${concurrency}`)
  await runJobs({
    client,
    runner: {
      token,
      version,
      searchPath,
      isIsolated: problem === undefined && given.isolation !== 'off',
      hidden: [data, ...(given.hidden ?? []).map((path) => resolve(path))],
    },
    isolationProblem: problem,
    data,
    concurrency,
    idle_ms_max: 1000 * idle_s,
    leaving: leaving.signal,
    stopping: stopping.signal,
    onMessage: log,
  })
}

/** Returns why there is no sandbox; undefined if there is one or `isolation` is `off`. Throws if one is `required`. */
async function findIsolationProblem(isolation: string): Promise<string | undefined> {
  if (isolation === 'off') return undefined
  if (isolation !== 'required' && isolation !== 'ask') {
    throw new UsageError(`--isolation takes required, ask or off, not ${isolation}.`)
  }
  const problem = await findSandboxProblem()
  if (problem === undefined) return undefined
  if (isolation === 'required') {
    throw new Error(
      `No sandbox available: ${problem}. With --isolation off jobs run without one, as the user of the runner.`,
    )
  }
  log(
    `No sandbox available: ${problem}. Jobs wait until an administrator allows them to run without one, as the user of the server: with the button on the page of a pending job, or PUT /api/v4/application/settings?allow_jobs_without_isolation=true`,
  )
  return problem
}

/** Reads the token from the first line of the input. The parent process holds the input open; its end stops the runner. */
function readToken(): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  lines.on('close', () => {
    // The parent process has ended, so nobody gets a report. Scripts end together with the runner.
    process.exit(1)
  })
  return new Promise((resolve) => lines.once('line', resolve))
}

/** Runs the command that the arguments name, then exits. */
export async function runRunnerCommand(args: string[]): Promise<never> {
  try {
    await dispatch(args)
    process.exit(0)
  } catch (error) {
    log((error as Error).message)
    if (error instanceof UsageError) process.stderr.write(usage)
    process.exit(error instanceof UsageError ? 2 : 1)
  }
}

if (import.meta.main) await runRunnerCommand(process.argv.slice(2))
