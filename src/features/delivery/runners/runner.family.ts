import type { Family } from '../../family.ts'
import { jobPayloadRequest, reachabilityRequest } from './request-job.ts'
import { runnerEndpoints } from './runner.routes.ts'
import { runnerTasks } from './runner.tasks.ts'
import { runnerProtocolEndpoints } from './runner-protocol.routes.ts'

export const runnerFamily: Family = {
  endpoints: [...runnerProtocolEndpoints, ...runnerEndpoints],
  tasks: runnerTasks,
  storageOwnerRequests: [jobPayloadRequest, reachabilityRequest],
}
