import type { Family } from '../../family.ts'
import { issueEndpoints } from './issue.routes.ts'
import { issuePlaceEndpoints } from './issue-place.routes.ts'
import { milestoneIssueEndpoints } from './milestone-issues.routes.ts'

export const issueFamily: Family = {
  endpoints: [...issueEndpoints, ...issuePlaceEndpoints, ...milestoneIssueEndpoints],
}
