// The storages of repositories by name, each on its own disk, as the settings define them.
import type { Config } from '../config.ts'
import { type Repository, repositoryInStorage } from '../git/repository.ts'
import { ownValue } from '../kernel/own-value.ts'
import {
  currentMirrors,
  mirrorKey,
  RepositoryElsewhereError,
  type RepositoryName,
} from '../kernel/repository-elsewhere.ts'

type Storages = Pick<Config, 'storages' | 'storagesElsewhere'>

/**
 * Returns a repository by name: on a disk of this server, or the copy of it that the current request has fetched. Throws
 * RepositoryElsewhereError if there is neither, and an error for a storage that is not in the settings.
 */
export function findRepository(config: Storages, name: RepositoryName): Repository {
  const here = ownValue(config.storages, name.storage)
  if (here) return repositoryInStorage(here.path, name.kind, name.id)
  if (!isStorageElsewhere(config, name.storage)) {
    throw new Error(`Storage ${name.storage} is not in the settings. Add it to BLOOMERY_STORAGES.`)
  }
  const path = currentMirrors().get(mirrorKey(name))
  if (path === undefined) throw new RepositoryElsewhereError(name)
  return { path, mirrorOf: name }
}

/** Whether the storage is on the disk of another server. */
export function isStorageElsewhere(
  { storagesElsewhere }: Pick<Storages, 'storagesElsewhere'>,
  name: string,
): boolean {
  return ownValue(storagesElsewhere, name) !== undefined
}

/** Throws RepositoryElsewhereError if the storage is on the disk of another server. */
export function requireStorageHere(config: Storages, storage: string): void {
  if (isStorageElsewhere(config, storage)) throw new RepositoryElsewhereError({ storage })
}

/** Whether the storage is in the settings, on whichever server it is. */
export function isKnownStorage(config: Storages, name: string): boolean {
  return ownValue(config.storages, name) !== undefined || isStorageElsewhere(config, name)
}
