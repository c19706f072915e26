import type { Family } from '../../family.ts'
import { mergeRequestEndpoints } from './merge-request.routes.ts'
import { mergeabilityCheckTasks } from './merge-request.tasks.ts'
import { readRefsRequest } from './tips-elsewhere.ts'

export const mergeRequestFamily: Family = {
  endpoints: mergeRequestEndpoints,
  tasks: mergeabilityCheckTasks,
  storageOwnerRequests: [readRefsRequest],
}
