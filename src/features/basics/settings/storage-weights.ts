// The weights of storages, and which storage a new repository gets.
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { invalid } from '../../../kernel/errors.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { isForwardedWork } from '../../../kernel/repository-elsewhere.ts'
import { isKnownStorage, requireStorageHere } from '../../../subjects/storage.ts'
import type { Settings } from './known-settings.ts'
import { findStoredSetting } from './setting.ts'

type Weights = Settings['repository_storages_weighted']
type Storages = Pick<Config, 'storages' | 'storagesElsewhere'>

/** Returns the weight of each storage: as set by an administrator, otherwise from the server's own settings. */
export async function readStorageWeights(
  db: Db,
  { storages, storagesElsewhere }: Storages,
): Promise<Weights> {
  const set = await findStoredSetting(db, 'repository_storages_weighted')
  return Object.fromEntries(
    Object.entries({ ...storages, ...storagesElsewhere }).map(([name, { weight }]) => [
      name,
      set ? (ownValue(set, name) ?? 0) : weight,
    ]),
  )
}

/** Picks one of the storages by weight, except those left out; undefined if none of them has any weight. */
export async function pickStorageByWeight(
  db: Db,
  config: Storages,
  { except = [] }: { except?: readonly string[] } = {},
): Promise<string | undefined> {
  const weights = Object.entries(await readStorageWeights(db, config)).filter(
    ([name]) => !except.includes(name),
  )
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0)
  let pick = Math.random() * total
  for (const [name, weight] of weights) {
    pick -= weight
    if (pick < 0) return name
  }
  return undefined
}

/**
 * Returns the storage for a new repository: the requested one, or one picked by weight. With `isHere`, or for a forwarded
 * request, it is on a disk of this server. Throws RepositoryElsewhereError for a storage of another server.
 */
export async function resolveStorageForNewRepository(
  db: Db,
  config: Storages,
  { wanted, isHere = isForwardedWork() }: { wanted?: string; isHere?: boolean } = {},
): Promise<string> {
  const { storages, storagesElsewhere } = config
  if (wanted !== undefined && !isKnownStorage(config, wanted)) {
    throw invalid({ repository_storage: ['is not included in the list'] })
  }
  const except = isHere ? Object.keys(storagesElsewhere) : []
  // If no storage has a weight, the first one is used.
  const [first = 'default'] = Object.keys(isHere ? storages : { ...storages, ...storagesElsewhere })
  const storage = wanted ?? (await pickStorageByWeight(db, config, { except })) ?? first
  requireStorageHere(config, storage)
  return storage
}
