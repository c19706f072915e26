// The quick actions `/relate`, `/blocks`, `/blocked_by`, `/move` and `/clone` (docs/api/issues.md, "Quick actions").
import { ApiError } from '../../../kernel/errors.ts'
import { findIssuable } from '../../../subjects/issuable.ts'
import { findVisibleProject } from '../../../subjects/project.ts'
import type { IssueActionRequest } from '../issuables/quick-actions.ts'
import { parseReferences } from '../issuables/text-references.ts'
import type { CopyIssueContext } from '../issues/copy-issue.ts'
import { checkAndCopyIssue, checkAndMoveIssue, getTargetProject } from '../issues/move-issue.ts'
import { linkIssues, mayWriteIssueLinks } from './link-issues.ts'

const linkTypes = { relate: 'relates_to', blocks: 'blocks', blocked_by: 'is_blocked_by' } as const

/** Applies the action as far as its author may; what the operation would refuse is omitted. */
export async function applyIssueAction({
  uses,
  issue_id,
  action: { name, argument },
}: IssueActionRequest): Promise<void> {
  const { db, actor } = uses
  const found = await findIssuable(db, actor, { id: issue_id })
  const project = found && (await findVisibleProject(db, actor, { id: found.issuable.project_id }))
  if (!actor.user || !found || !project) return
  const subject = { ...project.project, ...found }
  const context: CopyIssueContext = { ...uses, user: actor.user, subject, level: project.level }
  try {
    if (name === 'move') {
      await checkAndMoveIssue(context, await getTargetProject(context, { path: argument }))
    } else if (name === 'clone') {
      const withNotes = /(?:^|\s)--with_notes$/.test(argument)
      const path = argument.replace(/\s?--with_notes$/, '')
      const target = await getTargetProject(context, path === '' ? { id: subject.id } : { path })
      await checkAndCopyIssue(context, { ...target, withNotes })
    } else await link(context, { argument, link_type: linkTypes[name] })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** Links the issue with all issues that the argument names. Issues that cannot be linked are skipped. */
async function link(
  context: CopyIssueContext,
  {
    argument,
    link_type,
  }: { argument: string; link_type: (typeof linkTypes)[keyof typeof linkTypes] },
): Promise<void> {
  const { subject, baseUrl } = context
  if (!mayWriteIssueLinks(context)) return
  const namespace = subject.full_path.replace(/\/[^/]*$/, '')
  for (const { kind, path = subject.full_path, iid } of parseReferences(argument, baseUrl)
    .references) {
    if (kind !== 'issue') continue
    const project_id = path.includes('/') ? path : `${namespace}/${path}`
    try {
      await linkIssues(context, { project_id, iid, link_type })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }
}
