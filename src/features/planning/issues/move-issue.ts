// Authorizes moving or copying an issue to another project, by the operation and by quick actions (docs/api/issues.md,
// "Moving").
import { Level } from '../../../access/level.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { type Issuable, mayUpdateIssuable } from '../../../subjects/issuable.ts'
import { findVisibleProject, type Project } from '../../../subjects/project.ts'
import { type CopyIssueContext, copyIssueToProject, moveIssueToProject } from './copy-issue.ts'
import { mayCreateIssues } from './issue.ts'

type Target = { project: Project; level: number }

/** Returns the project to move the issue to. Throws 404 if the caller cannot see it. */
export async function getTargetProject(
  { db, actor }: Pick<CopyIssueContext, 'db' | 'actor'>,
  by: { id: number } | { path: string },
): Promise<Target> {
  const found = await findVisibleProject(db, actor, by)
  if (!found) throw notFound('Project')
  return found
}

const mayMove = ({ project, level }: Target, { actor }: Pick<CopyIssueContext, 'actor'>) =>
  mayCreateIssues({ subject: project, level, actor }) && level >= Level.reporter

/** Moves the issue. Throws 400 if it may not be moved there. */
export function checkAndMoveIssue(context: CopyIssueContext, target: Target): Promise<Issuable> {
  const { subject, level, actor } = context
  if (target.project.id === subject.id) {
    throw invalid('Cannot move issue to project it originates from!')
  }
  const isAllowed =
    mayUpdateIssuable({ subject, level, actor }) &&
    level >= Level.reporter &&
    subject.issuable.moved_to_id === null &&
    mayMove(target, context)
  if (!isAllowed) throw invalid('Cannot move issue due to insufficient permissions!')
  return moveIssueToProject(context, { target: target.project, level: target.level })
}

/** Copies the issue. Throws 400 if it may not be copied there. */
export function checkAndCopyIssue(
  context: CopyIssueContext,
  { project, level, withNotes }: Target & { withNotes: boolean },
): Promise<Issuable> {
  if (context.level < Level.reporter || !mayMove({ project, level }, context)) {
    throw invalid('Cannot clone issue due to insufficient permissions!')
  }
  return copyIssueToProject(context, { target: project, level, withNotes })
}
