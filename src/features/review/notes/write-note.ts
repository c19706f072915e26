// Writes a note on an issue or merge request: executes its quick actions, stores the rest and notifies.
import { toJson } from '../../../db/dialect.ts'
import type { Context } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badRequest, formatFieldErrors } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import {
  findIssuable,
  type IssuableSubject,
  mayAdminIssuable,
  mayUpdateIssuable,
} from '../../../subjects/issuable.ts'
import { changeIssuable } from '../../planning/issuables/change-issuable.ts'
import { generateDiscussionId, markTodosDoneOfIssuable } from '../../planning/issuables/issuable.ts'
import type { IssuableFields } from '../../planning/issuables/issuable-fields.ts'
import { createMentionNotesAndTodos } from '../../planning/issuables/mention.ts'
import {
  type KindSpecificAction,
  parseQuickActions,
  resolveQuickActionFields,
} from '../../planning/issuables/quick-actions.ts'
import { recordContribution } from '../../projects/contributions/contribution.ts'
import { insertNote, updateNotesCount } from './note.store.ts'
import type { Note } from './note.ts'
import { noteCreatedEffect } from './note-created.ts'

export type NoteRequest = {
  body: string
  /** Whether the note is internal. Replies inherit this from their thread. */
  confidential?: boolean
  created_at?: string
  /** The thread that the note replies to; undefined for a note outside of threads. */
  thread?: Pick<Note, 'discussion_id' | 'confidential'>
  type?: Note['type']
  resolvable?: boolean
  position?: Record<string, unknown>
  commit_id?: string | null
  /** Whether the note is published with others of a review. */
  isOfReview?: boolean
}

/** The result of a note that contains only quick actions. */
export type QuickActionsAnswer = { commands_changes: Record<string, unknown>; summary: string[] }

type WriteContext = Omit<Context<IssuableSubject, unknown>, 'range'>

/** Throws 400 for a blank or too long text, with the messages of model validation. */
export function checkNoteBody(body: string): void {
  if (body.trim() === '')
    throw badRequest(`Note ${formatFieldErrors({ note: ["can't be blank"] })}`)
  if (body.length > limits.note_characters) {
    const text = `is too long (maximum is ${limits.note_characters} characters)`
    throw badRequest(`Note ${formatFieldErrors({ note: [text] })}`)
  }
}

/**
 * Writes the note, or returns the result of its quick actions if it contains nothing else. Actions that only one kind has
 * are returned in `own`.
 */
export async function createNote(
  context: WriteContext,
  request: NoteRequest,
): Promise<{ note: Note | undefined; commands: QuickActionsAnswer; own: KindSpecificAction[] }> {
  const { db: tx, clock, user, subject, level, actor, baseUrl } = context
  const { issuable } = subject
  checkNoteBody(request.body)
  const { text, actions } = parseQuickActions(request.body)
  const facts = { subject, level, actor }
  const mayAdmin = mayAdminIssuable(facts)
  const applied = await resolveQuickActionFields(context, {
    project: subject,
    kind: issuable.kind,
    actions,
    may: { update: mayUpdateIssuable(facts), admin: mayAdmin, trackTime: mayAdmin },
  })
  const now = timestamp(clock)
  let note: Note | undefined
  if (text.trim() !== '') {
    const { discussion_id, confidential } = request.thread ?? {
      discussion_id: generateDiscussionId(),
      confidential: request.confidential ?? false,
    }
    note = await insertNote(tx, {
      project_id: subject.id,
      issuable_id: issuable.id,
      author_id: user.id,
      discussion_id,
      type: request.type ?? null,
      body: text,
      confidential,
      resolvable: request.resolvable ?? false,
      commit_id: request.commit_id ?? null,
      ...(request.position && {
        position: toJson(request.position),
        original_position: toJson(request.position),
      }),
      created_at: request.created_at ?? now,
      updated_at: request.created_at ?? now,
    })
    await updateNotesCount(tx, issuable, { by: 1, now })
    await recordContribution(tx, { user_id: user.id, project_id: subject.id, now })
    await markTodosDoneOfIssuable(tx, clock, { issuable_id: issuable.id, user_id: user.id })
    const place = { project: subject, issuable, texts: [text], note }
    await createMentionNotesAndTodos({ tx, clock, actor, baseUrl }, place)
  }
  if (Object.keys(applied.fields).length > 0) {
    const found = await findIssuable(tx, actor, { id: issuable.id })
    const current = { ...subject, ...found }
    await changeIssuable(context, { subject: current, level, fields: applied.fields })
  }
  await applied.finish?.({ tx, issuable })
  if (note) {
    await noteCreatedEffect.run({
      tx,
      clock,
      project_id: subject.id,
      issuable_id: issuable.id,
      kind: issuable.kind,
      note_id: note.id,
      user_id: user.id,
      isOfReview: request.isOfReview ?? false,
    })
  }
  const commands = {
    commands_changes: changesOf(applied.fields),
    summary: applied.commands.map((name) => summaryOf(name, issuable.kind)),
  }
  return { note, commands, own: applied.own }
}

function changesOf(fields: IssuableFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

const sentences: Readonly<Record<string, string>> = {
  close: 'Closed this',
  reopen: 'Reopened this',
  lock: 'Locked the discussion of this',
  unlock: 'Unlocked the discussion of this',
  subscribe: 'Subscribed to this',
  unsubscribe: 'Unsubscribed from this',
  approve: 'Approved the current',
}

function summaryOf(name: string, kind: 'issue' | 'merge_request'): string {
  const noun = kind === 'issue' ? 'issue' : 'merge request'
  const sentence = ownValue(sentences, name)
  return sentence ? `${sentence} ${noun}.` : `Applied the ${name} command to this ${noun}.`
}
