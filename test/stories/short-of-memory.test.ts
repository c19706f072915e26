// A machine that has run out of memory: the program that is ended, its client and the log.
import { beforeAll, expect, it } from 'vitest'
import { wideHistory } from '../../bench/large-histories.ts'
import type { Project } from '../../src/subjects/project.ts'
import { runRealGit, WorkingCopy } from '../kit/git.ts'
import { newSshWorld, type SshWorld } from '../kit/ssh.ts'

let world: SshWorld
let project: Project
beforeAll(async () => {
  // Less than a clone of 207,000 objects needs, which takes long enough to be looked at in between.
  world = await newSshWorld({ BLOOMERY_GIT_MEMORY_MAX: '40' })
  project = await world.newProject()
  const { path } = { path: world.repository(project) }
  const history = [...wideHistory({ commits: 14_000, tags: 10 })].join('')
  await new WorkingCopy(path).must(['fast-import', '--quiet'], { stdin: history })
})

const sentence = 'The transfer was ended: the server is short of memory. Please try again later.'

it.each([
  ['a clone over HTTP', ['clone', '--bare'], 'http'],
  // It is not shared with others.
  [
    'a clone over HTTP that is read as it is made',
    ['clone', '--bare', '--filter=blob:limit=1m'],
    'http',
  ],
  ['a clone over SSH', ['clone', '--bare'], 'ssh'],
] as const)(
  'tells the client of %s why it ended, and the operator what to do',
  async (_, args, by) => {
    const before = world.app.log.length
    const env = by === 'ssh' ? world.env(await world.keyOf('reporter')) : {}
    const url = by === 'ssh' ? world.sshUrl(project) : world.remote(project, 'reporter')
    const { status, stderr } = await runRealGit([...args, url], { env })
    expect(status).not.toBe(0)
    expect(stderr).toContain(sentence)
    expect(world.app.log.slice(before).filter(({ level }) => level === 50)).toEqual([
      expect.objectContaining({
        subcommand: 'upload-pack',
        repository: world.repository(project),
        held_bytes: expect.any(Number),
        msg: 'git process killed, out of memory: add memory, or raise BLOOMERY_GIT_MEMORY_MAX if it is set',
      }),
    ])
  },
)
