import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { issuableChangedEffect } from '../../planning/issuables/issuable-changed.ts'
import { statusCheckEndpoints } from './status-check.routes.ts'
import { enqueueStatusCheckCallsForRequest, statusCheckTasks } from './status-check.tasks.ts'

export const statusCheckFamily: Family = {
  endpoints: statusCheckEndpoints,
  tasks: statusCheckTasks,
  effects: [onEffect(issuableChangedEffect, enqueueStatusCheckCallsForRequest)],
}
