import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { issueActionEffect } from '../issuables/quick-actions.ts'
import { applyIssueAction } from './issue-actions.ts'
import { issueLinkEndpoints } from './issue-link.routes.ts'

export const issueLinkFamily: Family = {
  endpoints: issueLinkEndpoints,
  effects: [onEffect(issueActionEffect, applyIssueAction)],
}
