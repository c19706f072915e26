import { BackupError } from '../../../backup/backup-error.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import {
  findNewestBackup,
  findTakeBackupTask,
  nextBackupTime,
  type RunBackup,
  takeBackupKey,
  takeBackupTask,
} from './backup.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config'> & { runBackup: RunBackup }

const takeBackup = defineTask({
  ...takeBackupTask,
  async run({ config: { backups }, runBackup }: Uses) {
    // The setting may have been removed since the backup was enqueued.
    if (backups) await runBackup(backups)
  },
})

/** Enqueues a backup when one is due. A target that cannot be read is an error, which is logged and tried again. */
const scheduleBackups = defineTask({
  name: 'schedule-backups',
  lane: 'backups',
  every_ms: 60_000,
  async run({ db, clock, config: { backups } }: Uses) {
    if (!backups) return
    const now = clock()
    // Listing a bucket costs a request, so the target is read only when the last known time has come.
    if (known?.backups === backups && known.next_ms > now.getTime()) return
    const newest = await findNewestBackup(backups)
    const next = nextBackupTime(backups, { newest, now })
    if (!next) throw new BackupError(`No time matches the schedule ${backups.schedule}.`)
    known = { backups, next_ms: next.getTime() }
    if (next > now) return
    const taking = await findTakeBackupTask({ db, clock })
    // A backup is running on another server, or waits for its next attempt.
    if (taking && taking.state !== 'failed') return
    await enqueue(db, clock, { task: takeBackupTask, key: takeBackupKey, payload: {} })
  },
})

let known: { backups: object; next_ms: number } | undefined

export const backupTasks = [takeBackup, scheduleBackups]
