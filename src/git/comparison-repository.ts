import { hash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Repository } from './repository.ts'

/**
 * Returns a repository without objects of its own that can read the objects of both repositories, so that their commits
 * can be compared without copying any. It is created once for each pair in `folder`, which may be deleted at any time.
 */
export async function ensureComparisonRepository(
  folder: string,
  one: Repository,
  other: Repository,
): Promise<Repository> {
  const path = join(folder, `${hash('sha256', `${one.path}\0${other.path}`)}.git`)
  if (existsSync(path)) return { path }
  const unfinished = `${path}.${randomUUID()}`
  await mkdir(join(unfinished, 'objects', 'info'), { recursive: true })
  await mkdir(join(unfinished, 'refs'))
  await writeFile(join(unfinished, 'HEAD'), 'ref: refs/heads/main\n')
  const places = [one, other].map((repository) => `${join(repository.path, 'objects')}\n`)
  await writeFile(join(unfinished, 'objects', 'info', 'alternates'), places.join(''))
  await mkdir(dirname(path), { recursive: true })
  // If another caller has created it meanwhile, it is identical.
  await rename(unfinished, path).catch(() => rm(unfinished, { recursive: true, force: true }))
  return { path }
}
