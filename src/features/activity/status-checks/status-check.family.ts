import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { issuableChanged } from '../../planning/issuables/issuable-changed.ts'
import { statusCheckEndpoints } from './status-check.routes.ts'
import { enqueueCheckCallsForRequest, statusCheckTasks } from './status-check.tasks.ts'

export const statusCheckFamily: Family = {
  endpoints: statusCheckEndpoints,
  tasks: statusCheckTasks,
  effects: [whenever(issuableChanged, enqueueCheckCallsForRequest)],
}
