import type { Family } from '../../family.ts'
import { auditEventEndpoints } from './audit-event.routes.ts'
import { auditEventTasks } from './audit-event.tasks.ts'

export const auditEventFamily: Family = {
  endpoints: auditEventEndpoints,
  tasks: auditEventTasks,
}
