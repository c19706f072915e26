// The signatures of the commits of a list, beside `git log`, which starts `ssh-keygen` for each of them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { callWell } from '../client.ts'
import { type Fresh, freshServer } from '../fresh.ts'
import { runGit, runProgram } from '../machine.ts'
import { timeOften } from '../measure.ts'
import { atMost, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'

const counts = [1, 30, 100]
const most = Math.max(...counts)

type Signed = { fresh: Fresh; within: string[]; shas: string[] }

const kept = new WeakMap<Bench, Promise<Signed>>()

/** A project of as many commits, each signed by a key that the server knows. */
async function newSigned(bench: Bench): Promise<Signed> {
  const fresh = await freshServer(bench)
  const folder = bench.newFolder('signed')
  mkdirSync(folder, { recursive: true })
  const key = join(folder, 'key')
  await runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  const text = readFileSync(`${key}.pub`, 'utf8')
  writeFileSync(join(folder, 'allowed'), `* ${text}`)
  const { email } = await fresh.send('GET', '/user')
  await fresh.send('POST', '/user/keys', { title: 'Bench', key: text })
  await fresh.send('POST', '/projects', { name: 'signed' })
  const work = join(folder, 'work')
  await runGit(['init', '--quiet', '--initial-branch=main', work])
  const within = [
    ...['-C', work, '-c', 'gpg.format=ssh', '-c', `user.signingkey=${key}`],
    ...['-c', `user.email=${email}`, '-c', 'user.name=bench'],
    ...['-c', `gpg.ssh.allowedSignersFile=${join(folder, 'allowed')}`],
  ]
  for (let number = 1; number <= most; number++) {
    await runGit([...within, 'commit', '-q', '-S', '--allow-empty', '-m', `Commit ${number}`])
  }
  const remote = new URL(`${fresh.server.url}/root/signed.git`)
  remote.username = 'bench'
  remote.password = fresh.headers['private-token'] ?? ''
  await runGit([...within, 'push', '--quiet', remote.toString(), 'main'])
  const listed = await runGit([...within, 'log', '--format=%H'])
  return { fresh, within, shas: listed.trim().split('\n') }
}

function signaturesRow(count: number, samples: number): Row {
  return {
    name: `signatures of ${count} commits`,
    goal: atMost(1),
    async measure(bench) {
      const signed = kept.get(bench) ?? newSigned(bench)
      kept.set(bench, signed)
      const { fresh, within, shas } = await signed
      const asked = shas.slice(0, count).map((sha) => `shas[]=${sha}`)
      const url = `${fresh.server.url}/api/v4/projects/root%2Fsigned/repository/signatures?${asked.join('&')}`
      const { headers } = fresh
      const told = (await callWell(url, { headers })).body.toString()
      if (told.split('"verified"').length !== count + 1) throw new Error('Not all are verified.')
      const { floor_ms, ours_ms } = await timeOften(
        {
          floor: () => runGit([...within, 'log', `-${count}`, '--format=%G?']),
          ours: () => callWell(url, { headers }),
        },
        samples,
      )
      return {
        floor: { value: floor_ms, unit: 'ms', of: 'git log --format=%G?' },
        ours: { value: ours_ms, unit: 'ms' },
      }
    },
  }
}

export function signatureRows({ samples }: Sizes): Row[] {
  return counts.map((count) => signaturesRow(count, samples))
}
