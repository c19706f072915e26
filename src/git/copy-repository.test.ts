import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { newWorld, type World } from '../../test/kit/world.ts'
import { projectRepository } from '../subjects/project.ts'
import { runGit } from './command.ts'
import { allRefPrefixes, copyRepository, verifyRepositoryCopy } from './copy-repository.ts'

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
  await copyRepository(git, source, copy, {
    references: allRefPrefixes,
    async check(unfinished) {
      if (outcomes.length === 0) await runGit(git, source, { args: ['gc', '--prune=now'] })
      const isSame = await verifyRepositoryCopy(source, unfinished)
      outcomes.push(isSame)
      return isSame
    },
  })
  expect(outcomes).toEqual([false, true])
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
