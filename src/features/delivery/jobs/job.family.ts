import { onEffect } from '../../../kernel/effect.ts'
import { enqueue } from '../../../tasks/task.ts'
import { removeOwnBlobTask } from '../../basics/own-blobs/own-blob.ts'
import type { Family } from '../../family.ts'
import { userBlockedEffect } from '../../people/users/change-state.ts'
import { jobEndpoints } from './job.routes.ts'
import { failJobsOfUserTask, jobTasks } from './job.tasks.ts'
import { updateJobEndpoints } from './update-job.routes.ts'

export const jobFamily: Family = {
  endpoints: [...jobEndpoints, ...updateJobEndpoints],
  tasks: [...jobTasks, removeOwnBlobTask],
  effects: [
    onEffect(userBlockedEffect, ({ tx, user_id, now }) =>
      enqueue(tx, () => new Date(now), {
        task: failJobsOfUserTask,
        key: String(user_id),
        payload: { user_id },
      }),
    ),
  ],
}
