import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { userBlocked } from '../../people/users/change-state.ts'
import { pipelineScheduleEndpoints } from './pipeline-schedule.routes.ts'
import { deactivateSchedules } from './pipeline-schedule.store.ts'
import { pipelineScheduleTasks } from './pipeline-schedule.tasks.ts'
import { scheduleVariableEndpoints } from './schedule-variable.routes.ts'

export const pipelineScheduleFamily: Family = {
  endpoints: [...pipelineScheduleEndpoints, ...scheduleVariableEndpoints],
  tasks: pipelineScheduleTasks,
  effects: [
    whenever(userBlocked, ({ tx, user_id, now }) => deactivateSchedules(tx, { user_id, now })),
  ],
}
