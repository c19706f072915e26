// A push that a server works on for as long as a test wants.
import { readFileSync } from 'node:fs'
import { type Agent, type ClientRequest, request } from 'node:http'
import { onTestFinished } from 'vitest'
import { zeroOid } from '../../src/git/names.ts'
import { encodePacket } from '../../src/git/pkt-line.ts'
import type { Server } from './server.ts'

/** Begins a push of a new branch to a project of root's whose pack comes slowly; it goes on until it is destroyed. */
export function beginSlowPush(
  { url, root }: Server,
  { path, branch, agent }: { path: string; branch: string; agent?: Agent },
): ClientRequest {
  const push = request(`${url}/root/${path}.git/git-receive-pack`, {
    method: 'POST',
    agent,
    auth: `${root.login}:${root.token}`,
    headers: { 'content-type': 'application/x-git-receive-pack-request' },
  })
  push.on('error', () => {})
  push.write(encodePacket(`${zeroOid} ${'1'.repeat(40)} refs/heads/${branch}\0report-status`))
  push.write('0000PACK\0\0\0\x02\0\0\0\x01')
  onTestFinished(() => void push.destroy())
  return push
}

/** Whether a process is the program of git that takes in the pack of a push. */
export function isUnpacking(pid: number): boolean {
  return /index-pack|unpack-objects/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
}
