import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { newWorld, type World } from '../../test/kit/world.ts'
import { projectRepository } from '../subjects/project.ts'
import { runGit } from './command.ts'
import {
  allRefPrefixes,
  copyRepository,
  measureObjects,
  verifyRepositoryCopy,
} from './copy-repository.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

async function newSource() {
  const project = await world.newProject({ files: { a: 'a', b: 'b' } })
  const source = projectRepository(world.app.config, project)
  const file = { branch: 'main', content: 'c', commit_message: 'c' }
  const made = await world.as('owner').post(`/projects/${project.id}/repository/files/c`, file)
  expect(made.statusCode).toBe(201)
  return { source, copy: { path: `${source.path}.copy` }, git: world.app.git.git }
}

it('begins again where the source is repacked before the copy is compared', async () => {
  const { source, copy, git } = await newSource()
  const outcomes: boolean[] = []
  let told_bytes = 0
  await copyRepository(git, source, copy, {
    references: allRefPrefixes,
    onBytes: async (bytes) => {
      told_bytes += bytes
    },
    async check(unfinished, onBytes) {
      if (outcomes.length === 0) await runGit(git, source, { args: ['gc', '--prune=now'] })
      const isSame = await verifyRepositoryCopy(source, unfinished, onBytes)
      outcomes.push(isSame)
      return isSame
    },
  })
  expect(outcomes).toEqual([false, true])
  // Once as they are copied, once as they are compared: what the first attempt told counts no more.
  expect(told_bytes).toBe(2 * (await measureObjects(source)))
})

it.each([
  ['the same disk', tmpdir],
  ['the disk of /var/tmp', () => '/var/tmp'],
])('tells of every byte, on %s', async (_where, parentOf) => {
  const { source, git } = await newSource()
  const folder = mkdtempSync(join(parentOf(), 'copied-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const copy = { path: join(folder, 'copy.git') }
  const told: number[] = []
  await copyRepository(git, source, copy, {
    references: allRefPrefixes,
    check: (unfinished, onBytes) => verifyRepositoryCopy(source, unfinished, onBytes),
    onBytes: async (bytes) => {
      told.push(bytes)
    },
  })
  expect(told.length).toBeGreaterThan(2)
  expect(told.reduce((sum, bytes) => sum + bytes, 0)).toBe(2 * (await measureObjects(source)))
  const titles = await runGit(git, copy, { args: ['log', '--format=%s', 'main'] })
  expect(titles.toString()).toBe('c\nAdd files\n')
})

it('takes a folder of objects that goes away meanwhile for a change', async () => {
  const { source, copy, git } = await newSource()
  const folder = join(source.path, 'objects', '00')
  rmSync(folder, { recursive: true, force: true })
  // Listed, and yet not there.
  symlinkSync('nowhere', folder)
  const copying = copyRepository(git, source, copy, { references: allRefPrefixes })
  await expect(copying).rejects.toThrow('attempts to copy it.')
})
