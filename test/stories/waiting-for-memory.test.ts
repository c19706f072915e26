// A fetch by SSH has memory reserved from the moment its client says what it wants, and not while it only reads references.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { ClientChannel } from 'ssh2'
import { beforeAll, expect, it } from 'vitest'
import { wideHistory } from '../../bench/large-histories.ts'
import { waitingForTurnText } from '../../src/git/keep-alive.ts'
import { planFetches } from '../../src/git/memory-estimate.ts'
import { encodePacket, flushPacket } from '../../src/git/pkt-line.ts'
import type { Project } from '../../src/subjects/project.ts'
import { runRealGit, WorkingCopy } from '../kit/git.ts'
import { newSshWorld, openChannel, type SshWorld } from '../kit/ssh.ts'

let world: SshWorld
let project: Project
let head: string
beforeAll(async () => {
  // One clone of these 207,000 objects has room, two have not.
  world = await newSshWorld({ BLOOMERY_GIT_MEMORY_MAX: '170' })
  project = await world.newProject()
  const repository = new WorkingCopy(world.repository(project))
  const history = [...wideHistory({ commits: 14_000, tags: 10 })].join('')
  await repository.must(['fast-import', '--quiet'], { stdin: history })
  head = await repository.must(['rev-parse', 'HEAD'])
})

/** A fetch whose references have been told, and whose client says nothing more yet. */
async function beginFetch(): Promise<ClientChannel> {
  const client = await world.connect(await world.keyOf('reporter'))
  const channel = await openChannel(client, `git-upload-pack '${project.full_path}'`)
  await once(channel, 'data')
  channel.resume()
  return channel
}

async function clone(url: string) {
  const env = world.env(await world.keyOf('developer'))
  const folder = `${world.repository(project)}-clone`
  const result = await runRealGit(['clone', '--bare', '--quiet', url, folder], { env })
  rmSync(folder, { recursive: true, force: true })
  return result
}

it('reserves nothing for clients that only read the references', async () => {
  const idle = await Promise.all([beginFetch(), beginFetch()])
  const { status, stderr } = await clone(world.sshUrl(project))
  expect([status, stderr]).toEqual([0, ''])
  for (const channel of idle) channel.end()
})

it.each([
  ['SSH', () => world.sshUrl(project)],
  ['HTTP', () => world.remote(project)],
])(
  'keeps a clone by %s waiting, and says so, while others that have said what they want fill the memory',
  async (_, urlOf) => {
    const other = await beginFetch()
    const wants = Buffer.concat([
      encodePacket(`want ${head} side-band-64k ofs-delta\n`),
      flushPacket,
    ])
    // In two pieces, as a network may deliver them.
    other.write(wants.subarray(0, 6))
    other.write(wants.subarray(6))
    const repository = { path: world.repository(project) }
    const { clone_bytes } = await planFetches(repository, world.app.git.git.memory.most_bytes())
    const one_mb = Math.ceil(clone_bytes / (1024 * 1024))
    await expect.poll(() => world.app.git.git.memory.reserved_mb).toBe(one_mb)
    const cloning = clone(urlOf())
    await expect.poll(() => world.app.git.git.memory.waiting).toBe(1)
    // Long enough for the first reminder.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(world.app.git.git.memory.waiting).toBe(1)
    other.close()
    const { status, stderr } = await cloning
    // `remote: ` is what git writes before each line that it shows.
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining(`remote: ${waitingForTurnText.trim()}`),
    ])
    expect(world.app.git.git.memory.reserved_mb).toBe(0)
  },
)
