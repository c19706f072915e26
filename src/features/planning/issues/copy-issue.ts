// Moves or copies an issue to another project (docs/api/issues.md, "Moving").
import type { ActorUser } from '../../../access/actor.ts'
import type { Issuable, IssuableSubject } from '../../../subjects/issuable.ts'
import type { Project } from '../../../subjects/project.ts'
import { changeIssuable, createIssuable, type IssuableUses } from '../issuables/change-issuable.ts'
import { insertSystemNotes } from '../issuables/issuable.ts'
import { listIssuableAssignees } from '../issuables/list-participants.ts'
import { findLabelsByTitle } from '../labels/label.ts'
import { findMilestonesByTitle } from '../milestones/milestone.ts'
import {
  copyIssueAwards,
  copyIssueNotes,
  findLabelAndMilestoneTitles,
  updateMovedToIssue,
} from './issue.store.ts'

export type CopyIssueContext = IssuableUses & {
  user: ActorUser
  subject: IssuableSubject
  level: number
}

/**
 * Copies the issue to another project, with its texts, the labels and milestone of the same names, and those assignees who
 * can see it there. `withNotes` also copies notes and awards.
 */
export async function copyIssueToProject(
  context: CopyIssueContext,
  {
    target,
    level,
    withNotes,
    keep = {},
  }: {
    target: Project
    level: number
    withNotes: boolean
    keep?: { author_id?: number; created_at?: string }
  },
): Promise<Issuable> {
  const { db: tx, subject } = context
  const { issuable } = subject
  const { labels, milestone } = await findLabelAndMilestoneTitles(tx, issuable)
  const [serving] =
    milestone === undefined ? [] : await findMilestonesByTitle(tx, target, [milestone])
  const serving_labels = await findLabelsByTitle(tx, target, labels)
  const assignees = await listIssuableAssignees(tx, issuable.id)
  const copy = await createIssuable(context, {
    copied: keep,
    project: target,
    kind: 'issue',
    level,
    fields: {
      title: issuable.title,
      description: issuable.description,
      confidential: issuable.confidential,
      discussion_locked: issuable.discussion_locked,
      due_date: issuable.due_date,
      weight: issuable.weight,
      issue_type: issuable.issue_type,
      time_estimate_s: issuable.time_estimate_s,
      labels: serving_labels.map(({ title }) => title),
      assignee_ids: assignees.map(({ id }) => id),
      ...(serving && { milestone_id: serving.id }),
    },
  })
  if (withNotes) {
    await copyIssueNotes(tx, { from: issuable, to: copy })
    await copyIssueAwards(tx, { from: issuable, to: copy })
  }
  return copy
}

/** Moves the issue: copies everything, closes the original and notes where it went. */
export async function moveIssueToProject(
  context: CopyIssueContext,
  { target, level }: { target: Project; level: number },
): Promise<Issuable> {
  const { db: tx, clock, subject, level: ownLevel, user } = context
  const { issuable } = subject
  const { author_id, created_at } = issuable
  const keep = { author_id, created_at }
  const made = await copyIssueToProject(context, { target, level, withNotes: true, keep })
  await updateMovedToIssue(tx, { from: issuable.id, to: made.id })
  const note = (of: Issuable, about: Issuable, body: string) =>
    insertSystemNotes(tx, clock, {
      issuable: of,
      author_id: user.id,
      bodies: [body],
      about_id: about.id,
    })
  await note(issuable, made, `moved to ${target.full_path}#${made.iid}`)
  await note(made, issuable, `moved from ${subject.full_path}#${issuable.iid}`)
  await changeIssuable(context, { subject, level: ownLevel, fields: { state_event: 'close' } })
  return made
}
