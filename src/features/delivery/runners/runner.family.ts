import type { Family } from '../../family.ts'
import { runnerProtocolEndpoints } from './runner-protocol.routes.ts'

export const runnerFamily: Family = {
  endpoints: runnerProtocolEndpoints,
}
