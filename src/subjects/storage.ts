// The named places where repositories lie, each on a disk of its own, as the settings of the server name them.
import type { Config } from '../config.ts'
import { ownValue } from '../kernel/own-value.ts'

/** Where the storage lies on disk. */
export function storagePath({ storages }: Pick<Config, 'storages'>, name: string): string {
  const storage = ownValue(storages, name)
  if (!storage)
    throw new Error(`Storage ${name} is not in the settings. Add it to BLOOMERY_STORAGES.`)
  return storage.path
}
