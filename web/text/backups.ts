import { formatBytes, formatCountWithNoun } from './numbers.ts'

export const backups = {
  title: 'Backups',
  lead: 'Backups contain the database, all repositories and all files, but not the secret key. Keep a copy of secret.key elsewhere.',
  create: 'Back up now',
  requested: 'Backup started',
  target: 'Location',
  schedule: 'Schedule',
  keep: 'Retention',
  kept: (count: number) => formatCountWithNoun(count, 'backup', 'backups'),
  next: 'Next backup',
  due: 'Due now',
  states: {
    waiting: 'A backup will start shortly',
    running: 'A backup is running',
    delayed: 'The last backup failed and will be retried',
    failed: 'The last backup failed',
  },
  unreadable: (error: string) => `The backup location cannot be read: ${error}`,
  list: 'Backups',
  contents: (repositories: number, blobs: number) =>
    [
      formatCountWithNoun(repositories, 'repository', 'repositories'),
      formatCountWithNoun(blobs, 'file', 'files'),
    ].join(', '),
  size: (bytes: number) => formatBytes(bytes),
  version: (version: string) => `Bloomery ${version}`,
  withKeys: 'With keys',
  empty: 'No backups yet',
  unconfigured: 'Scheduled backups are not set up',
  setUp:
    'Set a folder on another disk, or an S3 bucket, as an environment variable, or as backup_to in bloomery.json in the data folder. Then restart the server: it creates a backup every night at 3:00 UTC and keeps 14 of them.',
  setting: 'BLOOMERY_BACKUP_TO=/var/backups/bloomery',
  settingName: 'setting',
  more: 'Documentation of backups',
  restore: 'Restore',
  restoreText:
    'To restore a backup, stop the server and run this command with the same settings as the server, in an empty data folder that has the same secret.key.',
  restoreLine: (target: string) => `bloomery restore --from '${target}' --check`,
  restoreCommand: 'restore command',
}
