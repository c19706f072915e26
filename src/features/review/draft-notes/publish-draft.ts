// Publishes drafts as notes, through the code that writes all notes.
import type { Context } from '../../../http/endpoint.ts'
import { badRequest } from '../../../kernel/errors.ts'
import type { IssuableSubject } from '../../../subjects/issuable.ts'
import { applyMergeRequestActions } from '../merging/quick-actions.ts'
import { mayResolveNote } from '../notes/may-resolve.ts'
import type { Note } from '../notes/note.ts'
import { findThreadStart, replyToThread, setThreadResolved } from '../notes/thread.ts'
import { createNote } from '../notes/write-note.ts'
import { type DraftNote, deleteDraftNote } from './draft-note.store.ts'

/**
 * Publishes a draft in the caller's transaction. Returns the note, unless the draft consists of quick actions only. Throws
 * 400 if the thread is gone; then the draft is kept.
 */
export async function publishDraftNote(
  context: Context<IssuableSubject, unknown>,
  draft: DraftNote,
  { isOfReview }: { isOfReview: boolean },
): Promise<Note | undefined> {
  const { db: tx } = context
  if (!(await deleteDraftNote(tx, draft.id))) return undefined
  const first =
    draft.discussion_id === null ? undefined : await findThreadStart(context, draft.discussion_id)
  if (draft.discussion_id !== null && !first) throw badRequest('Discussion can not be replied to.')
  const { own, note: written } = first
    ? await replyToThread(context, {
        ...{ first, body: draft.note, isResolvable: true },
        isOfReview,
      })
    : await createNote(context, {
        body: draft.note,
        type: draft.position ? 'DiffNote' : 'DiscussionNote',
        resolvable: true,
        commit_id: draft.commit_id,
        isOfReview,
        ...(draft.position && { position: draft.position }),
      })
  await applyMergeRequestActions(context, own)
  const { discussion_id } = draft
  const isResolving = draft.resolve_discussion && discussion_id !== null
  if (isResolving && first && mayResolveNote(context, first)) {
    await setThreadResolved(context, { discussion_id, resolved: true })
  }
  return written
}
