// Creates and changes issues and merge requests as far as they are the same, in the caller's transaction: the row, its
// relations, its history, notifications, and what else follows (issuableChangedEffect).

import type { Actor } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Tier } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { findViolatedIndex } from '../../../db/dialect.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { conflict } from '../../../kernel/errors.ts'
import {
  type Issuable,
  type IssuableKind,
  type IssuableSubject,
  mayAdminIssuable,
} from '../../../subjects/issuable.ts'
import type { Project } from '../../../subjects/project.ts'
import type { User } from '../../../subjects/user.ts'
import { nextInternalId, raiseLastInternalIdTo } from '../../basics/internal-ids/internal-id.ts'
import { recordContribution } from '../../projects/contributions/contribution.ts'
import { addDescriptionVersion } from '../description-versions/description-version.ts'
import { findOrCreateLabels, type Label } from '../labels/label.ts'
import { findMilestoneOfProjectOrAncestors } from '../milestones/milestone.ts'
import {
  addLabelsToIssuable,
  type IssuableUpdates,
  insertIssuable,
  listAssignees,
  listLabelsOfIssuable,
  lockIssuable,
  removeLabelsFromIssuable,
  replaceAssignees,
  updateIssuableCount,
  updateIssuableRow,
} from './issuable.store.ts'
import {
  insertResourceEvents,
  insertSystemNotes,
  insertTodos,
  markTodosDoneOfIssuable,
} from './issuable.ts'
import {
  type FieldChanges,
  type IssuableAction,
  issuableChangedEffect,
} from './issuable-changed.ts'
import type { IssuableFields } from './issuable-fields.ts'
import { checkIssuableTexts } from './issuable-problems.ts'
import { filterUsersWhoCanReadIssuable, findIssuableReaderScope } from './list-references.ts'
import { createMentionNotesAndTodos } from './mention.ts'
import { applyQuickActions } from './quick-actions.ts'
import { parseTaskItems } from './text-references.ts'
import { markTitleDifferences } from './title-change.ts'

/** `db` is the open transaction. */
export type IssuableUses = Pick<Instance, 'db' | 'clock'> & {
  actor: Actor
  config: { tier: Tier }
  baseUrl: string
}

/** The changes of fields that only one kind has, for the effect and the history. */
export type KindSpecificChanges = { changes?: FieldChanges; notes?: readonly string[] }

const usages = { issue: 'issues', merge_request: 'merge_requests' } as const
const noun = { issue: 'issue', merge_request: 'merge request' } as const

/**
 * Creates an issue or a merge request. `insertOwn` inserts the row of its kind. Fields that the caller may not set are
 * ignored, not refused (docs/api/issues.md, "Who may"). Throws 409 for a number that is taken.
 */
export async function createIssuable(
  uses: IssuableUses,
  {
    project,
    kind,
    level,
    fields: given,
    insertOwn,
    copied,
    isOfTool = false,
  }: {
    project: Project
    kind: IssuableKind
    level: number
    fields: IssuableFields & { title: string }
    insertOwn?: (tx: Db, issuable: Issuable) => Promise<void>
    /** Set for a copy: its text executes no quick actions. A moved issue keeps its author and creation time. */
    copied?: { author_id?: number; created_at?: string }
    /**
     * Whether a program wrote the texts. Then quick actions are not executed and mentioned users are not
     * notified.
     */
    isOfTool?: boolean
  },
): Promise<Issuable> {
  const { db: tx, clock, actor } = uses
  const user = signedIn(actor)
  const { fields, finish } =
    copied || isOfTool
      ? { fields: given, finish: undefined }
      : await applyQuickActions(uses, {
          project,
          kind,
          fields: given,
          may: { update: true, admin: true, trackTime: mayTrackTime(kind, level) },
        })
  const title = (fields.title ?? '').trim()
  const description = fields.description ?? null
  checkIssuableTexts({ title, description })
  const isOwner = level >= Level.owner
  const now = timestamp(clock)
  const created_at = copied?.created_at ?? (isOwner ? fields.created_at : undefined) ?? now
  const tasks = parseTaskItems(description)
  const iid = await chooseNumber(tx, { project, kind, iid: isOwner ? fields.iid : undefined })
  const row = {
    iid,
    kind,
    project_id: project.id,
    author_id: copied?.author_id ?? user.id,
    title,
    description,
    state: 'opened' as const,
    confidential: fields.confidential ?? false,
    discussion_locked: fields.discussion_locked ?? null,
    due_date: fields.due_date ?? null,
    weight: uses.config.tier === 'free' ? null : (fields.weight ?? null),
    issue_type: fields.issue_type ?? ('issue' as const),
    time_estimate_s: fields.time_estimate_s ?? 0,
    task_count: tasks.length,
    completed_task_count: tasks.filter(({ isDone }) => isDone).length,
    created_at,
    updated_at: copied ? now : created_at,
  }
  let issuable: Issuable
  try {
    issuable = await insertIssuable(tx, row)
  } catch (error) {
    if (findViolatedIndex(error) !== undefined) throw conflict('Duplicated issue')
    throw error
  }
  await insertOwn?.(tx, issuable)
  if (issuable.weight !== null) await addWeightEvent(uses, issuable.id, issuable.weight)
  await updateIssuableCount(tx, issuable, 1)
  await recordContribution(tx, { user_id: user.id, project_id: project.id, now })
  const subject = { ...project, issuable, isAssignee: false }
  const facts = { uses, subject, level, mayAdmin: true }
  const changes: FieldChanges = {}
  const updates: IssuableUpdates = {}
  await changeLabels(facts, fields, changes)
  const assigned = await changeAssignees(facts, fields, changes)
  await changeMilestone(facts, fields, { updates, changes })
  if (Object.keys(updates).length > 0) {
    issuable = await updateIssuableRow(tx, issuable.id, updates)
  }
  // A copy takes its system notes from the original.
  if (assigned && !copied) {
    await insertSystemNotes(tx, clock, { issuable, author_id: user.id, bodies: assigned.notes })
  }
  const texts = isOfTool ? [] : [title, description ?? '']
  await createMentionNotesAndTodos(
    { tx, clock, actor, baseUrl: uses.baseUrl },
    { project, issuable, texts },
  )
  await addAssignmentTodos(uses, issuable, assigned?.added ?? [])
  await finish?.({ tx, issuable })
  const event = { tx, clock, project_id: project.id, issuable_id: issuable.id, kind }
  await issuableChangedEffect.run({ ...event, action: 'open', user_id: user.id, changes: {} })
  return issuable
}

function mayTrackTime(kind: IssuableKind, level: number): boolean {
  return level >= (kind === 'issue' ? Level.reporter : Level.developer)
}

function signedIn({ user }: Actor): NonNullable<Actor['user']> {
  if (!user) throw new Error('An issue or merge request was changed without a signed-in user.')
  return user
}

async function chooseNumber(
  tx: Db,
  { project, kind, iid }: { project: Project; kind: IssuableKind; iid: number | undefined },
): Promise<number> {
  const usage = usages[kind]
  if (iid === undefined || iid < 1) return nextInternalId(tx, project.id, usage)
  await raiseLastInternalIdTo(tx, { project_id: project.id, usage, iid })
  return iid
}

type Facts = { uses: IssuableUses; subject: IssuableSubject; level: number; mayAdmin: boolean }

/**
 * Changes the fields that issues and merge requests share. `own` are the changes of the kind's own fields, in the same
 * transaction. Returns the new row. If nothing changes, the row is not updated and nobody is notified.
 */
export async function changeIssuable(
  uses: IssuableUses,
  {
    subject: given,
    level,
    fields: asked,
    own = {},
  }: { subject: IssuableSubject; level: number; fields: IssuableFields; own?: KindSpecificChanges },
): Promise<Issuable> {
  const { db: tx, clock, actor } = uses
  const user = signedIn(actor)
  const before = await lockIssuable(tx, given.issuable.id)
  if (!before) return given.issuable
  const subject = { ...given, issuable: before }
  const { kind } = before
  const mayAdmin = mayAdminIssuable({ subject, level, actor })
  const { fields, finish } =
    asked.description === undefined
      ? { fields: asked, finish: undefined }
      : await applyQuickActions(uses, {
          project: subject,
          kind,
          fields: asked,
          may: { update: true, admin: mayAdmin, trackTime: mayAdmin },
        })
  const facts = { uses, subject, level, mayAdmin }
  const changes: FieldChanges = { ...own.changes }
  const notes: string[] = [...(own.notes ?? [])]
  const updates: IssuableUpdates = {}
  const described = changeTexts(before, fields, {
    updates,
    changes,
    notes,
    user_id: user.id,
    clock,
  })
  changeFlags(facts, fields, { updates, changes, notes })
  if (updates.weight !== undefined) await addWeightEvent(uses, before.id, updates.weight)
  await changeMilestone(facts, fields, { updates, changes })
  await changeLabels(facts, fields, changes)
  const assigned = await changeAssignees(facts, fields, changes)
  if (assigned) notes.push(...assigned.notes)
  const action = await changeState(facts, fields, { updates, changes })
  const isOwner = level >= Level.owner
  const moment = isOwner ? fields.updated_at : undefined
  if (Object.keys(changes).length === 0 && moment === undefined) {
    await finish?.({ tx, issuable: before })
    return before
  }
  const now = moment ?? timestamp(clock)
  const issuable = await updateIssuableRow(tx, before.id, {
    ...updates,
    updated_at: now,
    updated_by_id: user.id,
  })
  if (before.state !== issuable.state || before.confidential !== issuable.confidential) {
    await updateIssuableCount(tx, before, -1)
    await updateIssuableCount(tx, issuable, 1)
  }
  const noteIds = await insertSystemNotes(tx, clock, {
    issuable,
    author_id: user.id,
    bodies: notes,
  })
  const note_id = described === undefined ? undefined : noteIds[described]
  if (note_id !== undefined) {
    const texts = { before: before.description, after: issuable.description }
    const version = { issuable_id: issuable.id, note_id, ...texts, now: timestamp(clock) }
    await addDescriptionVersion(tx, version)
  }
  if (changes.title || changes.description) {
    const texts = [issuable.title, issuable.description ?? '']
    const old = `${before.title}\n${before.description ?? ''}`
    const place = { project: subject, issuable, texts, before: old }
    await createMentionNotesAndTodos({ tx, clock, actor, baseUrl: uses.baseUrl }, place)
  }
  await addAssignmentTodos(uses, issuable, assigned?.added ?? [])
  await finish?.({ tx, issuable })
  changes.updated_at = { previous: before.updated_at, current: now }
  await issuableChangedEffect.run({
    tx,
    clock,
    project_id: issuable.project_id,
    issuable_id: issuable.id,
    kind,
    action,
    user_id: user.id,
    changes,
  })
  return issuable
}

type Target = {
  updates: IssuableUpdates
  changes: FieldChanges
  notes: string[]
}

/**
 * Changes title and description. Returns the index of the note about the new description; undefined without
 * one.
 */
function changeTexts(
  before: Issuable,
  { title: givenTitle, description }: IssuableFields,
  { updates, changes, notes, user_id, clock }: Target & { user_id: number; clock: Clock },
): number | undefined {
  let described: number | undefined
  const title = givenTitle?.trim() ?? before.title
  // Forms send a missing description as an empty text.
  const isGiven = description !== undefined && Boolean(description || before.description)
  const text = isGiven ? description : before.description
  checkIssuableTexts({ title, description: text })
  if (title !== before.title) {
    const marked = markTitleDifferences(before.title, title)
    updates.title = title
    changes.title = { previous: before.title, current: title }
    notes.push(`changed title from **${marked.before}** to **${marked.after}**`)
  }
  if (text !== before.description) {
    const tasks = parseTaskItems(text)
    updates.description = text
    updates.task_count = tasks.length
    updates.completed_task_count = tasks.filter(({ isDone }) => isDone).length
    changes.description = { previous: before.description, current: text }
    described = notes.length
    notes.push(...taskNotes(before.description, text))
  }
  if (title === before.title && text === before.description) return undefined
  updates.last_edited_at = timestamp(clock)
  updates.last_edited_by_id = user_id
  return described
}

/** Returns the system notes for ticked and unticked task items, if nothing else in the description changed. */
function taskNotes(before: string | null, after: string | null): string[] {
  const [old, now] = [parseTaskItems(before), parseTaskItems(after)]
  const changed = now.filter(({ isDone }, at) => old[at]?.isDone !== isDone)
  const isTicking =
    old.length === now.length &&
    changed.length > 0 &&
    now.every(({ text }, at) => text === old[at]?.text)
  if (!isTicking) return ['changed the description']
  return changed.map(
    ({ text, isDone }) => `marked the task **${text}** as ${isDone ? 'completed' : 'incomplete'}`,
  )
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** Returns a day as `January 2, 2022`. */
function printDay(day: string): string {
  const [year, month, date] = day.split('-').map(Number)
  return `${months[(month ?? 1) - 1]} ${date}, ${year}`
}

function changeFlags(
  { subject, mayAdmin, uses }: Facts,
  fields: IssuableFields,
  { updates, changes, notes }: Target,
): void {
  const before = subject.issuable
  const { confidential, discussion_locked, due_date, weight, issue_type } = fields
  const isIssue = before.kind === 'issue'
  const set = <K extends keyof Issuable & keyof typeof updates>(key: K, value: Issuable[K]) => {
    if (value === before[key]) return false
    Object.assign(updates, { [key]: value })
    changes[key] = { previous: before[key], current: value }
    return true
  }
  // Authors and assignees may make an issue confidential, but not public.
  const maySet = confidential === true || (confidential === false && mayAdmin)
  if (isIssue && maySet && set('confidential', confidential)) {
    notes.push(confidential ? 'made the issue confidential' : 'made the issue visible to everyone')
  }
  if (isIssue && issue_type !== undefined) set('issue_type', issue_type)
  if (!mayAdmin) return
  if (discussion_locked !== undefined && set('discussion_locked', discussion_locked)) {
    notes.push(`${discussion_locked ? 'locked' : 'unlocked'} this ${noun[before.kind]}`)
  }
  if (isIssue && due_date !== undefined && set('due_date', due_date)) {
    notes.push(due_date === null ? 'removed due date' : `changed due date to ${printDay(due_date)}`)
  }
  if (isIssue && uses.config.tier !== 'free' && weight !== undefined) set('weight', weight)
  if (fields.time_estimate_s !== undefined) set('time_estimate_s', fields.time_estimate_s)
}

async function addWeightEvent(
  { db, clock, actor }: IssuableUses,
  issuable_id: number,
  weight: number | null,
): Promise<void> {
  const action = weight === null ? 'remove' : 'add'
  const events = [{ kind: 'weight' as const, action: action as 'add' | 'remove', weight }]
  await insertResourceEvents(db, clock, { issuable_id, user_id: signedIn(actor).id, events })
}

async function changeMilestone(
  { uses, subject, mayAdmin }: Facts,
  { milestone_id }: IssuableFields,
  { updates, changes }: Pick<Target, 'updates' | 'changes'>,
): Promise<void> {
  const before = subject.issuable
  if (!mayAdmin || milestone_id === undefined) return
  const found =
    milestone_id === null || milestone_id <= 0
      ? undefined
      : await findMilestoneOfProjectOrAncestors(uses.db, subject, milestone_id)
  const id = found?.id ?? null
  if (id === before.milestone_id) return
  updates.milestone_id = id
  changes.milestone_id = { previous: before.milestone_id, current: id }
  const event = (action: 'add' | 'remove', milestone: number) => ({
    kind: 'milestone' as const,
    action,
    milestone_id: milestone,
  })
  await insertResourceEvents(uses.db, uses.clock, {
    issuable_id: before.id,
    user_id: signedIn(uses.actor).id,
    events: [
      ...(before.milestone_id === null || id !== null
        ? []
        : [event('remove', before.milestone_id)]),
      ...(id === null ? [] : [event('add', id)]),
    ],
  })
}

async function changeLabels(
  { uses, subject, level, mayAdmin }: Facts,
  { labels, add_labels, remove_labels }: IssuableFields,
  changes: FieldChanges,
): Promise<void> {
  if (!mayAdmin || (labels ?? add_labels ?? remove_labels) === undefined) return
  const { db: tx, clock } = uses
  const { id } = subject.issuable
  const before = await listLabelsOfIssuable(tx, id)
  const mayCreate = level >= Level.reporter
  const named = (titles: readonly string[]) =>
    findOrCreateLabels(tx, clock, { project: subject, titles, mayCreate })
  let after: Label[] = labels === undefined ? before : await named(labels)
  if (add_labels !== undefined) after = uniqueById([...after, ...(await named(add_labels))])
  if (remove_labels !== undefined) {
    const gone = new Set(remove_labels.map((title) => title.trim()))
    after = after.filter(({ title }) => !gone.has(title))
  }
  const had = new Set(before.map((label) => label.id))
  const has = new Set(after.map((label) => label.id))
  const added = after.filter((label) => !had.has(label.id))
  const removed = before.filter((label) => !has.has(label.id))
  if (added.length === 0 && removed.length === 0) return
  const idsOf = (list: readonly Label[]) => list.map((label) => label.id)
  await addLabelsToIssuable(tx, id, idsOf(added))
  await removeLabelsFromIssuable(tx, id, idsOf(removed))
  const event = (action: 'add' | 'remove') => (label: Label) => ({
    kind: 'label' as const,
    action,
    label_id: label.id,
  })
  await insertResourceEvents(tx, clock, {
    issuable_id: id,
    user_id: signedIn(uses.actor).id,
    events: [...added.map(event('add')), ...removed.map(event('remove'))],
  })
  changes.labels = { previous: idsOf(before), current: idsOf(after) }
}

function uniqueById(labels: readonly Label[]): Label[] {
  return [...new Map(labels.map((label) => [label.id, label])).values()]
}

const named = (users: readonly User[]) => users.map(({ username }) => `@${username}`).join(' and ')

type Assigned = { notes: string[]; added: User[] }

/**
 * Sets the assignees; on the free tier only the first. Users who do not exist or cannot see the issuable are
 * omitted. If nobody is left, nothing changes (docs/api/issues.md, "Assignees").
 */
async function changeAssignees(
  { uses, subject, mayAdmin }: Facts,
  { assignee_ids }: IssuableFields,
  changes: FieldChanges,
): Promise<Assigned | undefined> {
  if (!mayAdmin || assignee_ids === undefined) return undefined
  const { issuable } = subject
  const { db: tx, config } = uses
  const wanted = [...new Set(assignee_ids.filter((id) => id > 0))]
  const kept = config.tier === 'free' ? wanted.slice(0, 1) : wanted
  const seen = await findIssuableReaderScope(tx, { project: subject, issuable })
  const found =
    kept.length === 0 ? [] : await filterUsersWhoCanReadIssuable(tx, seen, { ids: kept })
  if (kept.length > 0 && found.length === 0) return undefined
  const before = await listAssignees(tx, issuable.id)
  const had = new Set(before.map(({ id }) => id))
  const has = new Set(found.map(({ id }) => id))
  const added = found.filter(({ id }) => !had.has(id))
  const removed = before.filter(({ id }) => !has.has(id))
  if (added.length === 0 && removed.length === 0) return undefined
  const idsOf = (users: readonly User[]) => users.map(({ id }) => id)
  await replaceAssignees(tx, issuable.id, idsOf(found))
  changes.assignees = { previous: idsOf(before), current: idsOf(found) }
  const parts = [
    added.length > 0 ? `assigned to ${named(added)}` : '',
    removed.length > 0 ? `unassigned ${named(removed)}` : '',
  ].filter((part) => part !== '')
  return { notes: [parts.join(' and ')], added }
}

async function addAssignmentTodos(
  { db, clock, actor }: IssuableUses,
  issuable: Issuable,
  added: readonly User[],
): Promise<void> {
  await insertTodos(db, clock, {
    issuable,
    author_id: signedIn(actor).id,
    user_ids: added.map(({ id }) => id),
    action: 'assigned',
  })
}

async function changeState(
  { uses, subject }: Facts,
  { state_event }: IssuableFields,
  { updates, changes }: Pick<Target, 'updates' | 'changes'>,
): Promise<IssuableAction> {
  const { db: tx, clock, actor } = uses
  const before = subject.issuable
  const user_id = signedIn(actor).id
  const isClosing = state_event === 'close' && before.state === 'opened'
  const isOpening = state_event === 'reopen' && before.state === 'closed'
  if (!isClosing && !isOpening) return 'update'
  const state = isClosing ? 'closed' : 'opened'
  updates.state = state
  updates.closed_at = isClosing ? timestamp(clock) : null
  updates.closed_by_id = isClosing ? user_id : null
  changes.state_id = { previous: isClosing ? 1 : 2, current: isClosing ? 2 : 1 }
  await insertResourceEvents(tx, clock, {
    issuable_id: before.id,
    user_id,
    events: [{ kind: 'state', action: isClosing ? 'closed' : 'reopened' }],
  })
  if (isClosing) await markTodosDoneOfIssuable(tx, clock, { issuable_id: before.id, user_id })
  return isClosing ? 'close' : 'reopen'
}
