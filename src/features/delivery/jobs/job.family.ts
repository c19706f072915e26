import { whenever } from '../../../kernel/effect.ts'
import { enqueue } from '../../../tasks/task.ts'
import { removeOwnBlob } from '../../basics/own-blobs/own-blob.ts'
import type { Family } from '../../family.ts'
import { userBlocked } from '../../people/users/change-state.ts'
import { jobEndpoints } from './job.routes.ts'
import { failJobsOfUser, jobTasks } from './job.tasks.ts'
import { updateJobEndpoints } from './update-job.routes.ts'

export const jobFamily: Family = {
  endpoints: [...jobEndpoints, ...updateJobEndpoints],
  tasks: [...jobTasks, removeOwnBlob],
  effects: [
    whenever(userBlocked, ({ tx, user_id, now }) =>
      enqueue(tx, () => new Date(now), {
        task: failJobsOfUser,
        key: String(user_id),
        payload: { user_id },
      }),
    ),
  ],
}
