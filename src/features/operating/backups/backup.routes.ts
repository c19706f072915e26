import { administrators } from '../../../access/rule.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { conflict, invalid } from '../../../kernel/errors.ts'
import { enqueue, restartTask } from '../../../tasks/task.ts'
import {
  BackupsJson,
  describeBackups,
  findTakeBackupTask,
  takeBackupKey,
  takeBackupTask,
} from './backup.ts'

const endpoint = endpointFactory({ tag: 'Backups' })

export const backupEndpoints = [
  endpoint({
    route: 'GET /admin/backups',
    summary: 'Show the scheduled backups of the server',
    allow: administrators,
    answer: BackupsJson,
    run: describeBackups,
  }),

  endpoint({
    route: 'POST /admin/backups',
    summary: 'Start a backup of the server',
    allow: administrators,
    status: 202,
    answer: BackupsJson,
    async run(context) {
      const { db, clock, config } = context
      if (!config.backups) {
        throw invalid(
          'No backup target is configured. Set BLOOMERY_BACKUP_TO and restart the server.',
        )
      }
      const task = await findTakeBackupTask(context)
      if (task?.state === 'waiting' || task?.state === 'running') {
        throw conflict('A backup is already in progress')
      }
      if (task) await restartTask(db, clock, task.id)
      else await enqueue(db, clock, { task: takeBackupTask, key: takeBackupKey, payload: {} })
      return describeBackups(context)
    },
  }),
]
