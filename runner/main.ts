// The built-in runner, a program of its own: `node runner/main.ts run|register ...`, or
// `bloomery runner run|register ...`.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { describeRunner, runJobs } from './job-loop.ts'
import { ProtocolClient } from './protocol-client.ts'
import { findSandboxProblem } from './sandbox.ts'

const usage = `Usage:
  runner register --url <server> --registration-token <token> [--description <text>]
                  [--tag-list a,b] [--run-untagged false] [--locked true] [--paused true]
                  [--access-level ref_protected] [--maximum-timeout <seconds>]
  runner run --url <server> --data <folder> [--token <token>] [--token-stdin]
             [--concurrency <number>] [--isolation required|ask|off] [--hidden <path>]...

Tokens may stand in the environment instead: BLOOMERY_RUNNER_TOKEN, BLOOMERY_REGISTRATION_TOKEN.
Each job runs in a sandbox. Where the system makes none, the runner does not start (required, the
default), asks the server, where an administrator decides (ask), or runs jobs without one (off).
Jobs see no file or folder that --hidden names.
With --token-stdin the first line of the input is the token, and its end stops the runner.
`

const options = {
  url: { type: 'string' },
  token: { type: 'string' },
  'token-stdin': { type: 'boolean' },
  data: { type: 'string' },
  concurrency: { type: 'string' },
  isolation: { type: 'string' },
  hidden: { type: 'string', multiple: true },
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

function say(text: string): void {
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

async function obey(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args)
  if (values.url === undefined) throw new UsageError('--url says where the server is.')
  const client = new ProtocolClient(values.url)
  if (positionals.join(' ') === 'register') await register(client, values)
  else if (positionals.join(' ') === 'run') await run(client, values)
  else throw new UsageError('The command is run or register.')
}

/** Prints the token of the new runner: it is for `run`. */
async function register(client: ProtocolClient, given: Given): Promise<void> {
  const token = given['registration-token'] ?? process.env.BLOOMERY_REGISTRATION_TOKEN
  if (!token) throw new UsageError('--registration-token is needed.')
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
    info: describeRunner({ version, searchPath }),
  })
  process.stdout.write(`${runner.token}\n`)
}

async function run(client: ProtocolClient, given: Given): Promise<void> {
  if (given.data === undefined) throw new UsageError('--data says where the runner keeps things.')
  const concurrency = Number(given.concurrency ?? Math.min(availableParallelism(), 4))
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new UsageError('--concurrency is a number from 1 on.')
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
  if (!token) throw new UsageError('--token is needed.')
  // Scripts get an environment of their own; this is for whatever else might look.
  delete process.env.BLOOMERY_RUNNER_TOKEN
  await client.verify({ token }, leaving.signal)
  say(`takes ${concurrency} jobs at once from ${given.url}`)
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
    leaving: leaving.signal,
    stopping: stopping.signal,
    onMessage: say,
  })
}

/** Why jobs cannot be isolated here, where that is asked; throws where they must be. */
async function findIsolationProblem(isolation: string): Promise<string | undefined> {
  if (isolation === 'off') return undefined
  if (isolation !== 'required' && isolation !== 'ask') {
    throw new UsageError('--isolation is required, ask or off.')
  }
  const problem = await findSandboxProblem()
  if (problem === undefined) return undefined
  if (isolation === 'required') {
    throw new Error(
      `No sandbox for jobs can be made here: ${problem}. With --isolation off they run as the user of the runner.`,
    )
  }
  say(
    `No sandbox for jobs can be made here: ${problem}. Jobs wait until an administrator lets them run as the user of the server: by the button on the page of a waiting job, or by PUT /api/v4/application/settings?allow_jobs_without_isolation=true`,
  )
  return problem
}

/** The first line of the input. Whoever started us holds it open; when it ends, so do we and the jobs. */
function readToken(): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  lines.on('close', () => {
    // Nobody is there to be told. The scripts notice by themselves that we are gone.
    process.exit(1)
  })
  return new Promise((resolve) => lines.once('line', resolve))
}

/** Does what the arguments say, then ends the process. */
export async function runCommand(args: string[]): Promise<never> {
  try {
    await obey(args)
    process.exit(0)
  } catch (error) {
    say((error as Error).message)
    if (error instanceof UsageError) process.stderr.write(usage)
    process.exit(error instanceof UsageError ? 2 : 1)
  }
}

if (import.meta.main) await runCommand(process.argv.slice(2))
