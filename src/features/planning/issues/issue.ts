// The rules of issues that merge requests do not share.
import type { Rule } from '../../../access/rule.ts'
import { mayReadIssues } from '../../../subjects/issuable.ts'
import { isUnarchived, type Project } from '../../../subjects/project.ts'

/** Signed-in callers who may read issues can create them; in a private project that is Guests and above. */
export const mayCreateIssues: Rule<Project> = (facts) =>
  facts.actor.user !== undefined && isUnarchived(facts.subject) && mayReadIssues(facts)
