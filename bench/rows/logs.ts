// Logs of jobs as large as they may be: where their lines are, and their end, beside a program that only counts lines.
import { createReadStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Bench } from '../bench.ts'
import { type CiServer, databaseOf, type RunningJob, startCiServer } from '../ci-server.ts'
import { callWell } from '../client.ts'
import { median, time_ms } from '../measure.ts'
import { atMost, below, type Measured, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'

const part_bytes = 1024 * 1024
const line_bytes = 100

export type Log = { url: string; headers: Record<string, string> }

export function newLog(bytes: number): Buffer {
  const line = (at: number) => `${`${at} of the furnace`.padEnd(line_bytes - 1, ' .')}\n`
  const log = Buffer.alloc(bytes)
  for (let at = 0; at * line_bytes < bytes; at++) log.write(line(at), at * line_bytes)
  return log
}

export async function sendLog(ci: CiServer, job: RunningJob, log: Buffer): Promise<Log> {
  const address = `${ci.server.url}/api/v4/jobs/${job.id}`
  for (let at = 0; at < log.length; at += part_bytes) {
    const body = log.subarray(at, at + part_bytes)
    await callWell(`${address}/trace`, {
      method: 'PATCH',
      headers: {
        'job-token': job.token,
        'content-type': 'text/plain',
        'content-range': `${at}-${at + body.length - 1}`,
      },
      body,
    })
  }
  const url = `${ci.server.url}/api/v4/projects/${ci.project_id}/jobs/${job.id}/trace`
  return { url, headers: ci.headers }
}

async function endJob(ci: CiServer, { id, token }: RunningJob): Promise<void> {
  await callWell(`${ci.server.url}/api/v4/jobs/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, state: 'success' }),
  })
}

/** Until the log of a job that has ended is in a file. */
async function isArchived(ci: CiServer, { id }: RunningJob): Promise<void> {
  const db = new Database(databaseOf(ci), { readonly: true })
  const find = db.prepare('select log_blob from jobs where id = ?').pluck()
  while (find.get(id) === null) await new Promise((resolve) => setTimeout(resolve, 100))
  db.close()
}

/** Counts the lines of a file as it is read. */
async function countLines(path: string): Promise<number> {
  let lines = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
  }
  return lines
}

const index = ({ url, headers }: Log) => callWell(`${url}?index=true`, { headers })
const end = ({ url, headers }: Log) =>
  callWell(url, { headers: { ...headers, range: `bytes=-${64 * 1024}` } })

type State = 'growing' | 'ended'

async function measureIndex(bench: Bench, bytes: number, state: State): Promise<Measured> {
  const samples = 3
  const ci = await startCiServer(bench, {
    config: { build: { script: 'true', parallel: samples } },
  })
  const folder = bench.newFolder('logs')
  await mkdir(folder)
  const log = newLog(bytes)
  await writeFile(join(folder, 'log'), log)
  const times: number[] = []
  const floors: number[] = []
  const again: number[] = []
  const ends: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    const job = await ci.takeJob()
    const sent = await sendLog(ci, job, log)
    if (state === 'ended') {
      await endJob(ci, job)
      await isArchived(ci, job)
    }
    floors.push(await time_ms(() => countLines(join(folder, 'log'))))
    times.push(await time_ms(() => index(sent)))
    again.push(await time_ms(() => index(sent)))
    ends.push(await time_ms(() => end(sent)))
  }
  await ci.server.stop()
  const opened_ms = median(again) + median(ends)
  return {
    floor: { value: median(floors), unit: 'ms', of: 'counting the lines of a file' },
    ours: { value: median(times), unit: 'ms' },
    note: `${bytes / line_bytes} lines; again, and the last 64 KB, ${opened_ms.toFixed(1)} ms`,
  }
}

export function logRows({ heavy_mb }: Sizes): Row[] {
  const bytes = heavy_mb > 100 ? 1_000_000 * line_bytes : 100_000 * line_bytes
  const text = `${bytes / 1_000_000} MB`
  return [
    {
      name: `log, index of ${text} that grow, asked for the first time`,
      goal: atMost(10),
      measure: (bench) => measureIndex(bench, bytes, 'growing'),
    },
    {
      name: `log, index of ${text}, asked for the first time`,
      goal: below(300, 'ms'),
      measure: (bench) => measureIndex(bench, bytes, 'ended'),
    },
  ]
}
