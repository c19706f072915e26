import type { Family } from '../../family.ts'
import { alertTasks } from './alert.tasks.ts'

export const alertFamily: Family = {
  tasks: alertTasks,
}
