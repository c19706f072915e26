import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { startApp } from '../../test/kit/app.ts'
import { newFolder, runRealGit } from '../../test/kit/git.ts'
import { repositoryInStorage } from '../git/repository.ts'
import { MirrorUpkeep, markMirrorUsed, unused_ms_max } from './mirror-upkeep.ts'

it('removes copies that nobody has used for a week, and packs those that were fetched into', async () => {
  const { git } = await startApp()
  const folder = newFolder()
  const errors: unknown[] = []
  const now = new Date('2026-03-01T12:00:00Z')
  const upkeep = new MirrorUpkeep(
    { git: git.git, folder, clock: () => now },
    { onError: (error) => errors.push(error) },
  )
  const newMirror = async (id: number, age_ms: number) => {
    const mirror = repositoryInStorage(join(folder, 'first'), 'project', id)
    mkdirSync(dirname(mirror.path), { recursive: true })
    await runRealGit(['init', '-q', '--bare', mirror.path])
    await markMirrorUsed(mirror, new Date(now.getTime() - age_ms))
    return mirror
  }
  const kept = await newMirror(1, unused_ms_max - 1)
  const old = await newMirror(2, unused_ms_max)
  const work = newFolder()
  await runRealGit(['init', '-q', work])
  for (let at = 0; at < 6; at++) {
    await runRealGit(['commit', '-q', '--allow-empty', '-m', `${at}`], { cwd: work })
    const args = ['--git-dir', kept.path, 'fetch', '-q', work, `main:refs/heads/${at}`]
    await runRealGit(args, { config: { 'fetch.unpackLimit': '1' } })
  }
  await utimes(join(kept.path, 'HEAD'), now, new Date(now.getTime() - unused_ms_max + 1))
  const countPacks = () =>
    readdirSync(join(kept.path, 'objects/pack')).filter((name) => name.endsWith('.pack')).length
  expect(countPacks()).toBe(6)
  await upkeep.run()
  expect([existsSync(kept.path), existsSync(old.path), countPacks()]).toEqual([true, false, 6])
  upkeep.noteFetch(kept)
  await upkeep.run()
  expect([existsSync(kept.path), countPacks(), errors]).toEqual([true, 1, []])
  upkeep.close()
})
