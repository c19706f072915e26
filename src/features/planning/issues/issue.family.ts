import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { userRemovedEffect } from '../../people/users/user.tasks.ts'
import { pushLandedEffect } from '../../repository/pushes/push-landed.ts'
import {
  deleteContributionsToOthers,
  deleteCreatedIssuables,
} from '../issuables/remove-contributions.ts'
import { issueEndpoints } from './issue.routes.ts'
import { issuePlaceEndpoints } from './issue-place.routes.ts'
import { milestoneIssueEndpoints } from './milestone-issues.routes.ts'

import { enqueueCommitMessageScan, issueTasks } from './read-commits.ts'

export const issueFamily: Family = {
  endpoints: [...issueEndpoints, ...issuePlaceEndpoints, ...milestoneIssueEndpoints],
  tasks: issueTasks,
  effects: [
    onEffect(pushLandedEffect, enqueueCommitMessageScan),
    onEffect(userRemovedEffect, (removal) => deleteCreatedIssuables(removal, 'issue')),
    onEffect(userRemovedEffect, deleteContributionsToOthers),
  ],
}
