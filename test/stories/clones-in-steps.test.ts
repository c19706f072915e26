// Clones where git has not the memory to walk to all objects and pack them in one program.
import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { wideHistory } from '../../bench/large-histories.ts'
import { planFetches } from '../../src/git/memory-estimate.ts'
import { runRealGit, WorkingCopy } from '../kit/git.ts'
import { newSshWorld } from '../kit/ssh.ts'

/** A walk that packs the 207,000 objects holds about 75 MB; each of the two steps holds less than 60. */
const git_mb_max = '64'

it('lists the objects first and packs them afterwards, over HTTP and SSH', {
  timeout: 180_000,
}, async () => {
  const world = await newSshWorld({ BLOOMERY_GIT_MEMORY_MAX: git_mb_max })
  const project = await world.newProject()
  const repository = new WorkingCopy(world.repository(project))
  const history = [...wideHistory({ commits: 14_000, tags: 10 })].join('')
  await repository.must(['fast-import', '--quiet'], { stdin: history })
  const count = async (folder: string) => {
    const counts = await new WorkingCopy(folder).must(['count-objects', '-v'])
    return Number(/^in-pack: (\d+)$/m.exec(counts)?.[1])
  }
  const all = await count(world.repository(project))
  const plan = await planFetches(
    { path: world.repository(project) },
    world.app.git.git.memory.most_bytes(),
  )
  expect(Object.values(plan.env)).toContain('uploadpack.packObjectsHook')

  const env = world.env(await world.keyOf('developer'))
  for (const url of [world.remote(project), world.sshUrl(project)]) {
    for (const more of [[], ['--filter=blob:none'], ['--depth=1']]) {
      const folder = `${world.repository(project)}-clone`
      const isWhole = more.length === 0
      const args = ['clone', '--bare', isWhole ? '--progress' : '--quiet', ...more, url, folder]
      const { status, stderr } = await runRealGit(args, { env })
      expect([more, status]).toEqual([more, 0])
      if (isWhole) expect(stderr).toContain('remote: Listing objects, which takes a while')
      else expect(stderr).toBe('')
      const objects = await count(folder)
      if (isWhole) {
        expect(objects).toBe(all)
        await new WorkingCopy(folder).must(['fsck', '--connectivity-only'])
      } else expect(objects).toBeLessThan(all)
      rmSync(folder, { recursive: true })
    }
  }
})
