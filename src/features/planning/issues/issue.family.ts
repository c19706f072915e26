import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { userRemoved } from '../../people/users/user.tasks.ts'
import { pushLanded } from '../../repository/pushes/push-landed.ts'
import {
  deleteContributionsToOthers,
  deleteCreatedIssuables,
} from '../issuables/remove-contributions.ts'
import { issueEndpoints } from './issue.routes.ts'
import { issuePlaceEndpoints } from './issue-place.routes.ts'
import { milestoneIssueEndpoints } from './milestone-issues.routes.ts'

import { enqueueReadCommits, issueTasks } from './read-commits.ts'

export const issueFamily: Family = {
  endpoints: [...issueEndpoints, ...issuePlaceEndpoints, ...milestoneIssueEndpoints],
  tasks: issueTasks,
  effects: [
    whenever(pushLanded, enqueueReadCommits),
    whenever(userRemoved, (removal) => deleteCreatedIssuables(removal, 'issue')),
    whenever(userRemoved, deleteContributionsToOthers),
  ],
}
