import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { userBlockedEffect } from '../../people/users/change-state.ts'
import { pipelineScheduleEndpoints } from './pipeline-schedule.routes.ts'
import { deactivateSchedulesOfUser } from './pipeline-schedule.store.ts'
import { pipelineScheduleTasks } from './pipeline-schedule.tasks.ts'
import { scheduleVariableEndpoints } from './schedule-variable.routes.ts'

export const pipelineScheduleFamily: Family = {
  endpoints: [...pipelineScheduleEndpoints, ...scheduleVariableEndpoints],
  tasks: pipelineScheduleTasks,
  effects: [
    onEffect(userBlockedEffect, ({ tx, user_id, now }) =>
      deactivateSchedulesOfUser(tx, { user_id, now }),
    ),
  ],
}
