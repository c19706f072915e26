import type { Family } from '../../family.ts'
import { maintenanceTasks } from './maintenance.tasks.ts'
import { projectUpkeepEndpoints } from './project-upkeep.routes.ts'
import { verificationTasks } from './verify-project.ts'

export const maintenanceFamily: Family = {
  endpoints: projectUpkeepEndpoints,
  tasks: [...maintenanceTasks, ...verificationTasks],
}
