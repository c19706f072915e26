// What of all that happens is kept as the events of projects and users (docs/api/events.md).
import { timestamp } from '../../../kernel/clock.ts'
import type { IssuableChange } from '../issuables/issuable-changed.ts'
import type { noteMade } from '../notes/note-made.ts'
import { insertEvents } from './event.store.ts'

const actions = {
  open: 'created',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  approved: 'approved',
} as const

const targetTypes = { issue: 'Issue', merge_request: 'MergeRequest' } as const

/** A step of what happens when an issue or a merge request changes; of what only says something else, none. */
export async function recordIssuableEvent(change: IssuableChange): Promise<void> {
  const { tx, clock, action, kind, project_id, issuable_id, user_id } = change
  if (action === 'update' || action === 'unapproved') return
  await insertEvents(tx, [
    {
      project_id,
      author_id: user_id,
      action: actions[action],
      target_type: targetTypes[kind],
      target_id: issuable_id,
      issuable_id,
      created_at: timestamp(clock),
    },
  ])
}

export async function recordNoteEvent({
  tx,
  clock,
  project_id,
  note_id,
  user_id,
}: Parameters<typeof noteMade.run>[0]): Promise<void> {
  await insertEvents(tx, [
    {
      project_id,
      author_id: user_id,
      action: 'commented',
      target_type: 'Note',
      target_id: note_id,
      note_id,
      created_at: timestamp(clock),
    },
  ])
}
