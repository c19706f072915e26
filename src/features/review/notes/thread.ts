// Threads on issues and merge requests, for replies and for resolving them.
import { createHash } from 'node:crypto'
import type { Context } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badRequest } from '../../../kernel/errors.ts'
import type { IssuableSubject } from '../../../subjects/issuable.ts'
import { hasUnresolvedThread } from '../../../subjects/note.ts'
import { publishChange } from '../../basics/changes/change.ts'
import { insertSystemNotes } from '../../planning/issuables/issuable.ts'
import { convertNoteToThread, findFirstThreadNote, setNotesResolved } from './note.store.ts'
import type { NoteWithUsers } from './note.ts'
import { createNote, type NoteRequest } from './write-note.ts'

type ThreadContext = Omit<Context<IssuableSubject, unknown>, 'range'>

/** Returns the note that a thread begins with for the caller; undefined if they see none of its notes. */
export function findThreadStart(
  { db, actor, level, subject }: ThreadContext,
  discussion_id: string,
): Promise<NoteWithUsers | undefined> {
  const reader = { actor, level }
  return findFirstThreadNote(db, { reader, issuable_id: subject.issuable.id, discussion_id })
}

/**
 * Writes a note in the thread that begins with `first`, in the caller's transaction. Throws 400 for a thread of a system
 * note.
 */
export async function replyToThread(
  context: ThreadContext,
  {
    first,
    body,
    created_at,
    isResolvable,
    isOfReview = false,
  }: Pick<NoteRequest, 'body' | 'created_at' | 'isOfReview'> & {
    first: NoteWithUsers | undefined
    isResolvable: boolean
  },
): ReturnType<typeof createNote> {
  if (!first || first.system) throw badRequest('Discussion can not be replied to.')
  const { discussion_id } = first
  const issuable_id = context.subject.issuable.id
  if (first.type === null) {
    await convertNoteToThread(context.db, { issuable_id, discussion_id, resolvable: isResolvable })
  }
  return createNote(context, {
    body,
    thread: first,
    type: first.type ?? 'DiscussionNote',
    resolvable: isResolvable,
    isOfReview,
    ...(first.position && { position: first.position }),
    ...(created_at !== undefined && { created_at }),
  })
}

/** Resolves or reopens a thread, or one note of it. Adds a system note once all threads are resolved. */
export async function setThreadResolved(
  { db: tx, clock, user, subject }: ThreadContext,
  {
    discussion_id,
    resolved,
    note_id,
  }: { discussion_id: string; resolved: boolean; note_id?: number },
): Promise<void> {
  const { id: issuable_id, kind } = subject.issuable
  const now = timestamp(clock)
  const changed = await setNotesResolved(tx, {
    issuable_id,
    discussion_id,
    note_id,
    by: resolved ? { user_id: user.id, now } : undefined,
  })
  if (changed > 0) await publishChange(tx, `${kind}:${issuable_id}`)
  if (changed === 0 || !resolved || (await hasUnresolvedThread(tx, issuable_id))) return
  await insertSystemNotes(tx, clock, {
    issuable: subject.issuable,
    author_id: user.id,
    bodies: ['resolved all threads'],
  })
}

/** Returns the identifier of a diff line: a hash of its path, and its line numbers on both sides. */
export function computeLineCode(
  { path, patch }: { path: string; patch: string },
  { old_line, new_line }: { old_line: number | null; new_line: number | null },
): string {
  const digest = createHash('sha1').update(path).digest('hex')
  const { oldLine, newLine } = findLine(patch, { old_line, new_line })
  return `${digest}_${oldLine}_${newLine}`
}

/**
 * Returns both numbers of a line. For a line that has a number on one side only, the other is the number of the next line
 * there.
 */
function findLine(
  patch: string,
  { old_line, new_line }: { old_line: number | null; new_line: number | null },
): { oldLine: number; newLine: number } {
  let oldLine = 0
  let newLine = 0
  for (const text of patch.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text)
    if (hunk) {
      oldLine = Number(hunk[1])
      newLine = Number(hunk[2])
      continue
    }
    const isAdded = text.startsWith('+')
    const isRemoved = text.startsWith('-')
    const isFound = new_line === null ? isRemoved && oldLine === old_line : newLine === new_line
    if (isFound && (new_line === null || !isRemoved)) return { oldLine, newLine }
    if (!isAdded) oldLine++
    if (!isRemoved) newLine++
  }
  return { oldLine: old_line ?? oldLine, newLine: new_line ?? newLine }
}
