// The scheduled backups of the server: what the target has, and when the next one is due (docs/operating/backup.md).
import { type Static, Type } from 'typebox'
import type { BackupTarget } from '../../../backup/backup-target.ts'
import type { BackupsConfig } from '../../../config.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { namedObject, nullable, nullableText, oneOf } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { nextCronTime, parseCron } from '../../../kernel/cron.ts'
import {
  findBackgroundTaskByKey,
  presentBackgroundTask,
  taskStates,
} from '../background-tasks/background-task.ts'

/** Backs up the server to the target of the settings. Throws an Error with the output of a command that failed. */
export type RunBackup = (backups: BackupsConfig) => Promise<void>

export const takeBackupTask = { name: 'take-backup', lane: 'backups' } as const
/** The key of the task. The server has one target, so only one backup runs at a time. */
export const takeBackupKey = 'instance'

const listed_max = 30

export const BackupJson = namedObject('Backup', {
  name: Type.String({ description: 'The time of the backup, as its folder is named.' }),
  created_at: Type.String(),
  version: Type.String({ description: 'Of the server.' }),
  database: oneOf(['sqlite', 'postgresql']),
  repositories: Type.Integer(),
  blobs: Type.Integer(),
  bytes: Type.Integer({ description: 'Of all files, those shared with other backups included.' }),
  with_keys: Type.Boolean(),
})

export const BackupsJson = namedObject('Backups', {
  target: nullable(
    Type.String({ description: 'A folder, or `s3://bucket/folder`; null if none is configured.' }),
  ),
  schedule: nullable(Type.String({ description: 'A cron expression, in UTC.' })),
  keep: nullable(Type.Integer({ description: 'How many backups are kept.' })),
  state: oneOf(['none', ...taskStates], {
    description: 'Of the task that takes the backup; `none` if no backup is in progress.',
  }),
  last_error: nullableText,
  next_at: nullableText,
  target_error: nullable(Type.String({ description: 'Why the target cannot be read.' })),
  count: Type.Integer({ description: 'How many complete backups the target has.' }),
  backups: Type.Array(BackupJson, { description: `The newest ${listed_max}, newest first.` }),
})

/** Opens the target of scheduled backups. */
async function openTarget({ to, s3 }: BackupsConfig): Promise<BackupTarget> {
  if (s3) {
    const { S3Target } = await import('../../../backup/s3-target.ts')
    return new S3Target(s3)
  }
  const { FolderTarget } = await import('../../../backup/folder-target.ts')
  return new FolderTarget(to)
}

/** Returns the name of the newest complete backup at the target; undefined if there is none. */
export async function findNewestBackup(backups: BackupsConfig): Promise<string | undefined> {
  return (await (await openTarget(backups)).list()).at(-1)
}

/** Returns when the next backup is due: at the first time of the schedule after the newest backup, now without one. */
export function nextBackupTime(
  { schedule }: BackupsConfig,
  { newest, now }: { newest: string | undefined; now: Date },
): Date | undefined {
  if (newest === undefined) return now
  const cron = parseCron(schedule)
  return cron && nextCronTime(cron, 'UTC', new Date(timeOfBackup(newest)))
}

/** Returns the time that a backup is named by, as ISO 8601. */
function timeOfBackup(name: string): string {
  return name.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z')
}

/** Returns the task that takes a backup; undefined if no backup is in progress. */
export async function findTakeBackupTask({ db, clock }: Pick<Instance, 'db' | 'clock'>) {
  const task = await findBackgroundTaskByKey(db, { name: takeBackupTask.name, key: takeBackupKey })
  return task && presentBackgroundTask(task, timestamp(clock))
}

/** Returns the scheduled backups for administrators. An unreadable target is reported in `target_error`. */
export async function describeBackups({
  db,
  clock,
  config: { backups },
}: Pick<Instance, 'db' | 'clock' | 'config'>): Promise<Static<typeof BackupsJson>> {
  const task = await findTakeBackupTask({ db, clock })
  const common = { state: task?.state ?? 'none', last_error: task?.last_error ?? null } as const
  if (!backups) {
    const nothing = { target: null, schedule: null, keep: null, next_at: null, target_error: null }
    return { ...nothing, ...common, count: 0, backups: [] }
  }
  const { schedule, keep, s3, to } = backups
  const settings = { target: s3?.name ?? to, schedule, keep }
  try {
    const target = await openTarget(backups)
    const names = await target.list()
    const next = nextBackupTime(backups, { newest: names.at(-1), now: clock() })
    return {
      ...settings,
      ...common,
      next_at: next?.toISOString() ?? null,
      target_error: null,
      count: names.length,
      backups: await readBackups(target, names.slice(-listed_max).reverse()),
    }
  } catch (error) {
    const target_error = (error as Error).message
    return { ...settings, ...common, next_at: null, target_error, count: 0, backups: [] }
  }
}

/** Reads the manifests of backups. One of another format, or deleted meanwhile, is left out. */
async function readBackups(
  target: BackupTarget,
  names: readonly string[],
): Promise<Static<typeof BackupJson>[]> {
  const { readManifest } = await import('../../../backup/manifest.ts')
  const { BackupError } = await import('../../../backup/backup-error.ts')
  const found: Static<typeof BackupJson>[] = []
  for (const name of names) {
    const reader = await target.open(name)
    try {
      const { made_at, version, database, repositories, blobs, bytes, has_keys } =
        await readManifest(reader)
      found.push({
        name,
        created_at: made_at,
        version,
        database: database === 'postgres' ? 'postgresql' : 'sqlite',
        repositories,
        blobs,
        bytes,
        with_keys: has_keys,
      })
    } catch (error) {
      if (!(error instanceof BackupError)) throw error
    } finally {
      reader.close()
    }
  }
  return found
}
