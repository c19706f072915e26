import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { newWorld, type World } from '../../test/kit/world.ts'
import { projectRepository } from '../subjects/project.ts'
import { removeRepository } from './create-repository.ts'
import { removeLeftoverFiles } from './leftovers.ts'
import { maintainRepository } from './maintenance.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const made = [
  'incoming-1/pack/tmp_pack_x',
  'incoming-2/ab/cdef',
  'ab/tmp_obj_x',
  'pack/tmp_idx_x',
  'pack/.tmp-1-pack-x.pack',
  'pack/pack-1.pack',
  'pack/pack-1.rev',
]

it('removes what interrupted writes left, once it is certain that nobody writes', async () => {
  const project = await world.newProject({ files: { a: 'a', b: 'b' } })
  const repository = projectRepository(world.app.config, project)
  const objects = join(repository.path, 'objects')
  const all = () => readdirSync(objects, { recursive: true }).map(String).sort()
  await maintainRepository(world.app.git.git, repository)
  const before = all()
  for (const name of made) {
    mkdirSync(dirname(join(objects, name)), { recursive: true })
    writeFileSync(join(objects, name), 'x')
  }
  expect(await removeLeftoverFiles(repository, Date.now())).toEqual([])
  expect(await removeLeftoverFiles(repository, Date.now() + 2 * 60 * 60_000)).toEqual([])
  const removed = await removeLeftoverFiles(repository, Date.now() + 4 * 60 * 60_000)
  expect(removed.sort()).toEqual([
    'ab/tmp_obj_x',
    'incoming-1',
    'incoming-2',
    'pack/.tmp-1-pack-x.pack',
    'pack/pack-1.pack',
    'pack/pack-1.rev',
    'pack/tmp_idx_x',
  ])
  expect(all().filter((name) => name !== 'ab')).toEqual(before.filter((name) => name !== 'ab'))
})

it('removes a repository with what an interrupted creation or removal left of it', async () => {
  const { path } = projectRepository(world.app.config, await world.newProject())
  for (const name of ['.new/objects', '.new-12ab/objects', '.removed/objects'].map(
    (end) => path + end,
  )) {
    mkdirSync(name, { recursive: true })
  }
  const beside = () => readdirSync(dirname(path))
  await removeRepository({ path })
  await removeRepository({ path })
  expect(beside()).toEqual([])
})
