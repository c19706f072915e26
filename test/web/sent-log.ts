// A job whose log a runner has sent, for stories of logs.
import { expect } from 'vitest'
import type { Server } from '../kit/server.ts'
import { newClone } from './repositories.ts'

const part_bytes = 1024 * 1024

/** Sends it a megabyte at a time, and leaves the job running; answers the address of its page. */
export async function sendLog(server: Server, name: string, log: Buffer): Promise<string> {
  const { ask, url } = server
  const clone = await newClone(server, name)
  await clone.commit('Begin', { '.gitlab-ci.yml': 'smelt:\n  script: ["true"]\n' })
  await clone.push('main')
  const runner = await ask<{ token: string }>('POST /user/runners', {
    runner_type: 'project_type',
    project_id: clone.id,
  })
  let job: { id: number; token: string } | undefined
  await expect
    .poll(async () => {
      const answer = await fetch(`${url}/api/v4/jobs/request`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: runner.token }),
      })
      job = answer.status === 201 ? await answer.json() : undefined
      return job !== undefined
    })
    .toBe(true)
  for (let at = 0; at < log.length; at += part_bytes) {
    const body = log.subarray(at, at + part_bytes)
    const answer = await fetch(`${url}/api/v4/jobs/${job?.id}/trace`, {
      method: 'PATCH',
      headers: {
        'job-token': job?.token ?? '',
        'content-type': 'text/plain',
        'content-range': `${at}-${at + body.length - 1}`,
      },
      body: Uint8Array.from(body),
    })
    expect(answer.status).toBe(202)
  }
  return `${clone.path}/-/jobs/${job?.id}`
}
