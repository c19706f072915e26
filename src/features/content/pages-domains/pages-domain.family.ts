import type { Family } from '../../family.ts'
import { certificateTasks } from './certificate.tasks.ts'
import { pagesDomainEndpoints } from './pages-domain.routes.ts'
import { pagesDomainTasks } from './pages-domain.tasks.ts'

export const pagesDomainFamily: Family = {
  endpoints: pagesDomainEndpoints,
  tasks: [...pagesDomainTasks, ...certificateTasks],
}
