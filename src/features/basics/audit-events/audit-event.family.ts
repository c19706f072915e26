import type { Family } from '../../family.ts'
import { auditEventTasks } from './audit-event.tasks.ts'

export const auditEventFamily: Family = {
  tasks: auditEventTasks,
}
