import type { Family } from '../../family.ts'
import { removeOwnBlob } from '../pipelines/own-blob.ts'
import { jobEndpoints } from './job.routes.ts'
import { jobTasks } from './job.tasks.ts'
import { updateJobEndpoints } from './update-job.routes.ts'

export const jobFamily: Family = {
  endpoints: [...jobEndpoints, ...updateJobEndpoints],
  tasks: [...jobTasks, removeOwnBlob],
}
