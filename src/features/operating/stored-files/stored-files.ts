// Compares what the database refers to with what is on the disks.

import { contentAddressedPlace, ownBlobPlace } from '../../../blobs/blob-place.ts'
import { blobStoreOf, findBlobSize } from '../../../blobs/blob-store.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { repositoryExists } from '../../../git/refs.ts'
import { type Repository, repositoryInStorage } from '../../../git/repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { isStorageElsewhere } from '../../../subjects/storage.ts'
import { eachBlob, eachProject, eachWiki } from './stored-file.store.ts'

/** A repository that a project or wiki refers to, whether or not it exists. */
export type NamedRepository = {
  name: string
  repository: Repository | undefined
  /** Whether the repository must exist; it need not while it is being created or deleted. */
  isExpected: boolean
}

/** Yields all repositories that rows refer to, without those on other servers. A wiki has none before its first page. */
export async function* namedRepositories(db: Db, config: Config): AsyncGenerator<NamedRepository> {
  const find = (kind: 'project' | 'wiki', id: number, storage: string) => {
    const place = ownValue(config.storages, storage)
    return place && repositoryInStorage(place.path, kind, id)
  }
  for await (const { id, repository_storage, state } of eachProject(db)) {
    if (isStorageElsewhere(config, repository_storage)) continue
    const repository = find('project', id, repository_storage)
    yield { name: `project ${id}`, repository, isExpected: state === 'ready' }
  }
  for await (const { id, repository_storage } of eachWiki(db)) {
    if (isStorageElsewhere(config, repository_storage)) continue
    yield {
      name: `wiki ${id}`,
      repository: find('wiki', id, repository_storage),
      isExpected: false,
    }
  }
}

/** Reports every problem, and returns how much was checked. `found` are the repositories on the disks. */
export async function checkStoredFiles(
  { db, config }: Pick<Instance, 'db' | 'config'>,
  found: ReadonlySet<string>,
  tell: (problem: string) => void,
): Promise<{ repositories: number; blobs: number; problems: number }> {
  const counts = { repositories: 0, blobs: 0, problems: 0 }
  const report = (problem: string) => {
    counts.problems++
    tell(problem)
  }
  const named = new Set<string>()
  for await (const { name, repository, isExpected } of namedRepositories(db, config)) {
    counts.repositories++
    if (!repository) report(`${name}: its storage is none of BLOOMERY_STORAGES`)
    else {
      named.add(repository.path)
      if (isExpected && !repositoryExists(repository)) report(`${name}: no ${repository.path}`)
    }
  }
  // A repository that was created during the check has its row by now. Only paths without a row are
  // leftovers.
  for (const path of found) if (!named.has(path)) report(`no project or wiki has ${path}`)
  const store = blobStoreOf(config)
  for await (const { kind, name, id } of eachBlob(db)) {
    counts.blobs++
    const place = kind === 'lfs' ? contentAddressedPlace(kind, name) : ownBlobPlace(kind, name)
    if ((await findBlobSize(store, place)) === undefined) report(`${kind} ${id}: no blob ${place}`)
  }
  return counts
}
