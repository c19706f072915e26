// Public functions of storage moves: schedules a move.

import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid } from '../../../kernel/errors.ts'
import { isKnownStorage } from '../../../subjects/storage.ts'
import { findWiki } from '../../../subjects/wiki.ts'
import { enqueue, type TaskName } from '../../../tasks/task.ts'
import {
  pickStorageByWeight,
  resolveStorageForNewRepository,
} from '../../basics/settings/storage-weights.ts'
import { insertMove, type MovedSubject } from './storage-move.store.ts'

/** The names of the tasks; the work is in storage-move.tasks.ts. */
export const moveTask = { name: 'move-repositories', lane: 'moves' } as const satisfies TaskName
export const clearMoveSourceTask = {
  name: 'clear-moved-source',
  lane: 'removal',
} as const satisfies TaskName
export const moveAllFromStorageTask = {
  name: 'move-all-from-storage',
  lane: 'events',
} as const satisfies TaskName

const noStorage = () => invalid({ destination_storage_name: ['is not included in the list'] })

/**
 * Records a move and enqueues it, in one transaction. `source` is where the repositories are. Without a destination
 * another storage is chosen by weight. Throws 400 if there is none, and while another move of the same project or group
 * is in progress.
 */
export async function scheduleMove(
  tx: Db,
  { clock, config }: Pick<Instance, 'clock' | 'config'>,
  moved: MovedSubject,
  { source, destination }: { source: string; destination: string | undefined },
): Promise<number> {
  const target = destination ?? (await pickStorageByWeight(tx, config, { except: [source] }))
  if (target === undefined || !isKnownStorage(config, target)) throw noStorage()
  const now = timestamp(clock)
  const made = await insertMove(tx, moved, {
    state: 'scheduled',
    source_storage_name: source,
    destination_storage_name: target,
    created_at: now,
    updated_at: now,
  })
  if (!made) throw invalid({ [moved.kind]: ['is read-only'] })
  const { id } = made
  await enqueue(tx, clock, { task: moveTask, key: String(id), payload: { move_id: id } })
  return id
}

/** Returns the storage of a group's wiki, or where it would be created now. */
export async function findGroupStorage(db: Db, config: Config, groupId: number): Promise<string> {
  const wiki = await findWiki(db, { kind: 'group', id: groupId })
  return wiki?.repository_storage ?? resolveStorageForNewRepository(db, config, { isHere: true })
}
