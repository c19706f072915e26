import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import { failAbandonedMoves, moveRepositories, removeMoveSource } from './move-repositories.ts'
import {
  clearMoveSourceTask,
  moveAllFromStorageTask,
  moveTask,
  scheduleMove,
} from './schedule-move.ts'
import { listIdsOnStorage, type MovedSubjectKind } from './storage-move.store.ts'

const batch_size = 100

type BulkPayload = { kind: MovedSubjectKind; source: string; destination?: string; after: number }

export const storageMoveTasks = [
  defineTask({
    ...moveTask,
    // Failures are recorded in the move itself. If the task stopped, its repositories would stay read-only.
    attempts_max: 1000,
    runsAfterDeaths: true,
    run: (
      uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
      { move_id }: { move_id: number },
    ) => moveRepositories(uses, move_id),
  }),
  defineTask({ ...clearMoveSourceTask, run: removeMoveSource }),
  defineTask({
    name: 'fail-abandoned-moves',
    lane: 'expiry',
    every_ms: 60_000,
    run: failAbandonedMoves,
  }),
  /** Schedules moves of everything on a storage. What cannot be moved now is skipped. */
  defineTask({
    ...moveAllFromStorageTask,
    async run(
      uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
      { kind, source, destination, after }: BulkPayload,
    ) {
      const { db, clock } = uses
      const ids = await listIdsOnStorage(db, kind, { storage: source, after, limit: batch_size })
      for (const { id } of ids) {
        try {
          await runTransaction(db, (tx) =>
            scheduleMove(tx, uses, { kind, id }, { source, destination }),
          )
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
        }
      }
      const last = ids.at(-1)
      if (!last || ids.length < batch_size) return
      const payload = { kind, source, ...(destination && { destination }), after: last.id }
      const key = `${kind}:${source}:${destination ?? ''}:${last.id}`
      await enqueue(db, clock, { task: moveAllFromStorageTask, key, payload })
    },
  }),
]
