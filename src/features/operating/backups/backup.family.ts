import type { Family } from '../../family.ts'
import { backupEndpoints } from './backup.routes.ts'
import { backupTasks } from './backup.tasks.ts'

export const backupFamily: Family = {
  endpoints: backupEndpoints,
  tasks: backupTasks,
}
