// Creates links between issues, for the operation and for quick actions (docs/api/issues.md, "Quick actions").
import type { Actor, ActorUser } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { Tier } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { ApiError, badParameters, conflict, notFound } from '../../../kernel/errors.ts'
import {
  findIssuable,
  type IssuableSubject,
  mayReadIssuable,
  shortIssuableReference,
} from '../../../subjects/issuable.ts'
import { findVisibleProject, isUnarchived, parseProjectId } from '../../../subjects/project.ts'
import { insertSystemNotes } from '../issuables/issuable.ts'
import { shortestReferenceFromProject } from '../issuables/mention.ts'
import { type IssueLink, insertIssueLink } from './issue-link.store.ts'

/** Reporters and above may link issues, in the projects of both. */
export const mayWriteIssueLinks: Rule<IssuableSubject> = (facts) =>
  facts.level >= Level.reporter && isUnarchived(facts.subject) && mayReadIssuable(facts)

const refusedTarget = () =>
  new ApiError(
    'not-found',
    'No matching issue found. Make sure that you are adding a valid issue URL.',
  )

/** Returns the issue to link with, if the caller may link it too. Throws 404 otherwise. */
async function getTarget(
  db: Db,
  actor: Actor,
  { project_id, iid }: { project_id: string; iid: number },
): Promise<IssuableSubject> {
  const key = parseProjectId(project_id)
  const found = key && (await findVisibleProject(db, actor, key))
  if (!found) throw notFound('Project')
  const of = { project_id: found.project.id, kind: 'issue' as const, iid }
  const target = await findIssuable(db, actor, of)
  if (!target) throw refusedTarget()
  const subject = { ...found.project, ...target }
  if (!mayWriteIssueLinks({ subject, level: found.level, actor })) throw refusedTarget()
  return subject
}

/** Returns the type of a link as seen from one of its ends: a blocked issue is the target of a `blocks` link. */
export function issueLinkTypeSeenFrom(
  issue_id: number,
  { link_type, target_id }: IssueLink,
): 'relates_to' | 'blocks' | 'is_blocked_by' {
  if (link_type !== 'blocks') return 'relates_to'
  return target_id === issue_id ? 'is_blocked_by' : 'blocks'
}

/** The beginnings of the system notes about new links. The reference to the other issue follows. */
const linkNotes = {
  relates_to: 'marked this issue as related to',
  blocks: 'marked this issue as blocking',
  is_blocked_by: 'marked this issue as blocked by',
}

type LinkUses = Pick<Instance, 'db' | 'clock'> & {
  actor: Actor
  user: ActorUser
  config: { tier: Tier }
  subject: IssuableSubject
}

/**
 * Links the issue with another one. The caller's right to do so in the issue's project has been checked. Throws 404 for an
 * issue that the caller may not link, and 409 if they are linked already.
 */
export async function linkIssues(
  { db, clock, actor, user, subject, config }: LinkUses,
  {
    project_id,
    iid,
    link_type,
  }: { project_id: string; iid: number; link_type: 'relates_to' | 'blocks' | 'is_blocked_by' },
): Promise<IssueLink> {
  if (config.tier === 'free' && link_type !== 'relates_to') {
    throw badParameters(['link_type does not have a valid value'])
  }
  const target = await getTarget(db, actor, { project_id, iid })
  const isTurned = link_type === 'is_blocked_by'
  const ends = isTurned
    ? { source_id: target.issuable.id, target_id: subject.issuable.id }
    : { source_id: subject.issuable.id, target_id: target.issuable.id }
  const now = timestamp(clock)
  const row = { ...ends, created_at: now, updated_at: now }
  const isSame = ends.source_id === ends.target_id
  const link = isSame
    ? undefined
    : await insertIssueLink(db, { ...row, link_type: isTurned ? 'blocks' : link_type })
  if (!link) throw conflict('Issue(s) already assigned')
  const tell = (at: IssuableSubject, other: IssuableSubject) =>
    insertSystemNotes(db, clock, {
      issuable: at.issuable,
      author_id: user.id,
      bodies: [
        `${linkNotes[issueLinkTypeSeenFrom(at.issuable.id, link)]} ${referenceFromIssue(at, other)}`,
      ],
      about_id: other.issuable.id,
    })
  await tell(subject, target)
  await tell(target, subject)
  return link
}

/** Returns the reference to the other issue from this issue's project. */
export function referenceFromIssue(at: IssuableSubject, other: IssuableSubject): string {
  const reference = shortIssuableReference(other.issuable)
  return at.id === other.id
    ? reference
    : shortestReferenceFromProject(at, { from: other, reference })
}
