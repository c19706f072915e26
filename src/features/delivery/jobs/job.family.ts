import type { Family } from '../../family.ts'
import { archiveLog } from './job-log.ts'
import { removeOwnBlob } from './own-blob.ts'
import { updateJobEndpoints } from './update-job.routes.ts'

export const jobFamily: Family = {
  endpoints: updateJobEndpoints,
  tasks: [archiveLog, removeOwnBlob],
}
