// Rates as autocannon takes them, in a process of its own.
import { createRequire } from 'node:module'
import type { Result } from 'autocannon'
import { runProgram } from './machine.ts'

const connections = 16
const warming_s = 1

/** Answers a second to 16 connections, after a warm-up; throws when one answer is no 200. */
export async function rateOf(
  url: string,
  { duration_s, headers = {} }: { duration_s: number; headers?: Record<string, string> },
): Promise<number> {
  await shoot(url, { duration_s: warming_s, headers })
  const { requests, duration, non2xx, errors } = await shoot(url, { duration_s, headers })
  if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} refusals, ${errors} errors`)
  return requests.total / duration
}

async function shoot(
  url: string,
  { duration_s, headers }: { duration_s: number; headers: Record<string, string> },
): Promise<Result> {
  const program = createRequire(import.meta.url).resolve('autocannon')
  const text = await runProgram(process.execPath, [
    program,
    ...['--json', '--connections', String(connections), '--duration', String(duration_s)],
    ...Object.entries(headers).flatMap(([name, value]) => ['--headers', `${name}=${value}`]),
    url,
  ])
  return JSON.parse(text) as Result
}
