import type { Family } from '../../family.ts'
import { issueEndpoints } from './issue.routes.ts'
import { issuePlaceEndpoints } from './issue-place.routes.ts'

export const issueFamily: Family = { endpoints: [...issueEndpoints, ...issuePlaceEndpoints] }
