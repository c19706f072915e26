// Quick actions, lines of descriptions and notes such as `/close`, `/label ~bug`, `/assign @user`. They are removed from
// the text and become fields of a change (docs/api/issues.md, "Quick actions").

import type { Actor } from '../../../access/actor.ts'
import type { Tier } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { parseDay, timestamp } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { Issuable, IssuableKind } from '../../../subjects/issuable.ts'
import type { Project } from '../../../subjects/project.ts'
import { findMilestonesByTitle } from '../milestones/milestone.ts'
import { parseTrackedTime_s } from './duration.ts'
import { addTimelog, setSubscription } from './issuable.store.ts'
import { insertTodos, markTodosDoneOfIssuable } from './issuable.ts'
import type { IssuableFields } from './issuable-fields.ts'
import { filterUsersWhoCanReadIssuable } from './list-references.ts'
import { parseReferences } from './text-references.ts'

/** A quick action: its name, and the rest of the line. */
export type QuickAction = { name: string; argument: string }

const commands_max = 100
const argument_characters_max = 1000

const known: ReadonlySet<string> = new Set(
  `close reopen title assign reassign unassign label labels relabel unlabel remove_label milestone
  remove_milestone due remove_due_date todo done lock unlock estimate remove_estimate spend spent
  remove_time_spent draft ready wip merge approve unapprove rebase confidential subscribe unsubscribe weight
  clear_weight request_changes submit_review request_review relate blocks blocked_by move clone`.split(
    /\s+/,
  ),
)

/** Returns the text without its quick actions, and the actions in order. Code is not changed. */
export function parseQuickActions(text: string): { text: string; actions: QuickAction[] } {
  if (!/(^|\n)\s{0,3}\//.test(text)) return { text, actions: [] }
  const actions: QuickAction[] = []
  const lines: string[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('```')) isCode = !isCode
    const action = isCode ? undefined : readCommand(line.trim())
    if (action && actions.length < commands_max) actions.push(action)
    else lines.push(line)
  }
  return actions.length === 0 ? { text, actions } : { text: lines.join('\n').trim(), actions }
}

function readCommand(line: string): QuickAction | undefined {
  if (!line.startsWith('/') || line.length > argument_characters_max) return undefined
  const [name = ''] = line.slice(1).split(/[ \t]/, 1)
  return known.has(name) ? { name, argument: line.slice(1 + name.length).trim() } : undefined
}

/** The rights of the author, which decide which quick actions have an effect. */
export type QuickActionRights = { update: boolean; admin: boolean; trackTime: boolean }

const ownActions: ReadonlySet<string> = new Set(['todo', 'done', 'subscribe', 'unsubscribe'])
const timeActions: ReadonlySet<string> = new Set([
  'estimate',
  'remove_estimate',
  'spend',
  'spent',
  'remove_time_spent',
])
const updateActions: ReadonlySet<string> = new Set([
  'close',
  'reopen',
  'title',
  'draft',
  'ready',
  'wip',
  'merge',
  'approve',
  'unapprove',
  'rebase',
  'request_changes',
  'submit_review',
])

function isAllowed(name: string, may: QuickActionRights): boolean {
  if (ownActions.has(name)) return true
  if (timeActions.has(name)) return may.trackTime
  return updateActions.has(name) ? may.update : may.admin
}

type Uses = Pick<Instance, 'db' | 'clock'> & {
  actor: Actor
  config: { tier: Tier }
  baseUrl: string
}

/** A quick action that later nouns execute; each checks the rights of the operation that it stands for. */
export type IssueAction = {
  name: 'relate' | 'blocks' | 'blocked_by' | 'move' | 'clone'
  argument: string
}
export type IssueActionRequest = { uses: Uses; issue_id: number; action: IssueAction }
export const issueActionEffect = declareEffect<IssueActionRequest>('issue-action')

/** A quick action that only one kind has. */
export type KindSpecificAction =
  | 'merge'
  | 'approve'
  | 'unapprove'
  | 'rebase'
  | 'draft'
  | 'ready'
  | 'reviewed'
  | 'requested_changes'
  | { name: 'request_review'; user_ids: readonly number[] }

export type AppliedQuickActions = {
  fields: IssuableFields
  /** The names of the recognized actions. */
  commands: string[]
  own: KindSpecificAction[]
  /** The steps to run after the change is made. */
  finish: ((done: { tx: Db; issuable: Issuable }) => Promise<unknown>) | undefined
}

/** Applies the quick actions in a description to the fields. The description is returned without them. */
export async function applyQuickActions(
  uses: Uses,
  {
    project,
    kind,
    fields,
    may,
  }: {
    project: Project
    kind: IssuableKind
    fields: IssuableFields & { title?: string }
    may: QuickActionRights
  },
): Promise<AppliedQuickActions> {
  const { description } = fields
  if (typeof description !== 'string') {
    return { fields, commands: [], own: [], finish: undefined }
  }
  const { text, actions } = parseQuickActions(description)
  const applied = await resolveQuickActionFields(uses, { project, kind, actions, may })
  return { ...applied, fields: { ...fields, ...applied.fields, description: text } }
}

/** Returns the fields that the actions change, as far as the author may change them. */
export async function resolveQuickActionFields(
  uses: Uses,
  {
    project,
    kind,
    actions,
    may,
  }: {
    project: Project
    kind: IssuableKind
    actions: readonly QuickAction[]
    may: QuickActionRights
  },
): Promise<AppliedQuickActions> {
  const fields: IssuableFields = {}
  const own: KindSpecificAction[] = []
  const commands: string[] = []
  const later: NonNullable<AppliedQuickActions['finish']>[] = []
  /**
   * The references of one kind of link are collected and linked together. Of several moves or copies only the
   * last one is done.
   */
  const linked = new Map<IssueAction['name'], string>()
  const moved = new Map<IssueAction['name'], string>()
  const user_id = uses.actor.user?.id ?? 0
  for (const { name, argument } of actions) {
    if (!isAllowed(name, may)) continue
    commands.push(name)
    switch (name) {
      case 'close':
      case 'reopen':
        fields.state_event = name
        break
      case 'title':
        if (argument !== '') fields.title = argument
        break
      case 'assign':
      case 'reassign':
        fields.assignee_ids = await usersNamed(uses, project, argument)
        break
      case 'unassign':
        fields.assignee_ids = []
        break
      case 'label':
      case 'labels':
        fields.add_labels = [...(fields.add_labels ?? []), ...labelsNamed(argument)]
        break
      case 'relabel':
        fields.labels = labelsNamed(argument)
        break
      case 'unlabel':
      case 'remove_label':
        if (argument === '') fields.labels = []
        else fields.remove_labels = [...(fields.remove_labels ?? []), ...labelsNamed(argument)]
        break
      case 'milestone': {
        const title = argument.replace(/^%/, '').replace(/^"(.*)"$/, '$1')
        const [found] = await findMilestonesByTitle(uses.db, project, [title])
        if (found) fields.milestone_id = found.id
        break
      }
      case 'remove_milestone':
        fields.milestone_id = null
        break
      case 'due': {
        const day = readDue(argument, timestamp(uses.clock))
        if (day !== undefined) fields.due_date = day
        break
      }
      case 'remove_due_date':
        fields.due_date = null
        break
      case 'lock':
      case 'unlock':
        fields.discussion_locked = name === 'lock'
        break
      case 'confidential':
        fields.confidential = true
        break
      case 'estimate':
      case 'remove_estimate': {
        const seconds = name === 'estimate' ? parseTrackedTime_s(argument) : 0
        if (seconds !== undefined && seconds >= 0) fields.time_estimate_s = seconds
        break
      }
      case 'spend':
      case 'spent': {
        const [, time = ''] = /^(\D?[\d.a-z ]{1,60}?)(?: \d{4}-\d{2}-\d{2})?$/i.exec(argument) ?? []
        const seconds = parseTrackedTime_s(time)
        if (seconds) {
          later.push(({ tx, issuable }) =>
            addTimelog(tx, uses.clock, { issuable, user_id, spent_s: seconds, summary: null }),
          )
        }
        break
      }
      case 'weight': {
        const weight = /^\d{1,6}$/.test(argument) ? Number(argument) : undefined
        if (weight !== undefined) fields.weight = weight
        break
      }
      case 'clear_weight':
        fields.weight = null
        break
      case 'subscribe':
      case 'unsubscribe':
        later.push(({ tx, issuable }) =>
          setSubscription(tx, {
            issuable_id: issuable.id,
            user_id,
            subscribed: name === 'subscribe',
          }),
        )
        break
      case 'todo':
        later.push(({ tx, issuable }) =>
          insertTodos(tx, uses.clock, {
            issuable,
            author_id: user_id,
            user_ids: [user_id],
            action: 'marked',
          }),
        )
        break
      case 'done':
        later.push(({ tx, issuable }) =>
          markTodosDoneOfIssuable(tx, uses.clock, { issuable_id: issuable.id, user_id }),
        )
        break
      case 'relate':
      case 'blocks':
      case 'blocked_by':
        linked.set(name, `${linked.get(name) ?? ''} ${argument}`)
        break
      case 'move':
      case 'clone':
        moved.set(name, argument)
        break
      case 'merge':
      case 'approve':
      case 'unapprove':
      case 'rebase':
      case 'draft':
      case 'ready':
        if (kind === 'merge_request') own.push(name)
        break
      case 'request_changes':
        if (kind === 'merge_request') own.push('requested_changes')
        break
      case 'request_review': {
        const user_ids = await usersNamed(uses, project, argument)
        if (kind === 'merge_request') own.push({ name, user_ids })
        break
      }
      case 'submit_review': {
        const verdict = verdictOf(argument)
        if (kind === 'merge_request' && verdict) own.push(verdict)
        break
      }
    }
  }
  if (kind === 'issue') {
    for (const [name, argument] of [...linked, ...moved]) {
      later.push(({ tx, issuable }) =>
        issueActionEffect.run({
          uses: { ...uses, db: tx },
          issue_id: issuable.id,
          action: { name, argument },
        }),
      )
    }
  }
  const finish =
    later.length === 0
      ? undefined
      : async (done: { tx: Db; issuable: Issuable }) => {
          for (const step of later) await step(done)
        }
  return { fields, commands, own, finish }
}

/** The action that the argument of `/submit_review` names; undefined for an argument that it does not take. */
function verdictOf(argument: string): KindSpecificAction | undefined {
  if (argument === '' || argument === 'reviewed') return 'reviewed'
  if (argument === 'requested_changes') return 'requested_changes'
  return argument === 'approve' ? 'approve' : undefined
}

async function usersNamed(uses: Uses, project: Project, argument: string): Promise<number[]> {
  const own = /(^|\s)(@me|me)(\s|$)/.test(argument) ? [uses.actor.user?.id ?? 0] : []
  const { usernames } = parseReferences(argument)
  if (usernames.length === 0) return own
  const users = await filterUsersWhoCanReadIssuable(
    uses.db,
    { project, isRestricted: false },
    { usernames },
  )
  return [...own, ...users.map(({ id }) => id)]
}

/** Splits `~bug ~"two words" plain` into titles of labels. */
function labelsNamed(argument: string): string[] {
  const titles: string[] = []
  for (const [, quoted, plain] of argument.matchAll(/~?(?:"([^"]{1,255})"|([^\s"~]{1,255}))/g)) {
    titles.push(quoted ?? plain ?? '')
  }
  return titles.filter((title) => title !== '')
}

/** Parses a due date: a date, `today`, `tomorrow` or `in 3 days`. */
function readDue(argument: string, now: string): string | undefined {
  const text = argument.toLowerCase()
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return parseDay(text) ?? undefined
  const days =
    text === 'today'
      ? 0
      : text === 'tomorrow'
        ? 1
        : Number(/^in (\d{1,3}) days?$/.exec(text)?.[1] ?? Number.NaN)
  if (Number.isNaN(days)) return undefined
  const day_ms = 24 * 60 * 60 * 1000
  return new Date(Date.parse(now) + days * day_ms).toISOString().slice(0, 10)
}
