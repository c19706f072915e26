import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { newFolder } from '../../test/kit/git.ts'
import { ReaderPool } from './reader-pool.ts'
import { LocalRepositoryReader } from './repository-reader.ts'

it('knows a file that repositories of two storages on one disk have in common', async () => {
  const disk = newFolder()
  const storages = { one: { path: join(disk, 'one') }, two: { path: join(disk, 'two') } }
  for (const { path } of Object.values(storages))
    mkdirSync(join(path, 'a.git'), { recursive: true })
  writeFileSync(join(storages.one.path, 'a.git/shared'), 'shared')
  linkSync(join(storages.one.path, 'a.git/shared'), join(storages.two.path, 'a.git/shared'))
  writeFileSync(join(storages.one.path, 'a.git/own'), 'own')
  const pool = new ReaderPool()
  onTestFinished(() => pool.close())
  const reader = new LocalRepositoryReader(storages, pool)
  const identityOf = async (storage: string, path: string) => {
    const file = await reader.openLargeFile({ storage, name: 'a.git' }, path)
    file.close()
    return file.identity
  }
  const identity = await identityOf('one', 'shared')
  expect(identity).toMatch(/^\d+:\d+$/)
  expect(await identityOf('two', 'shared')).toBe(identity)
  expect(await identityOf('one', 'own')).toBeUndefined()
})
