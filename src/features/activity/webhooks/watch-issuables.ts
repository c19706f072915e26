// Webhooks of issues, merge requests and notes. Confidential ones have flags of their own.
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { IssuableChange } from '../../planning/issuables/issuable-changed.ts'
import { findIssuableRow, findNote } from '../webhook-payloads/webhook-payload.ts'
import { enqueueHookCalls } from './call-hooks.ts'
import { listWebhooksOfScope } from './webhook.ts'

/** Enqueues webhook calls when an issue or merge request changes. */
export async function enqueueIssuableHooks(change: IssuableChange): Promise<void> {
  const { tx, clock, project_id, issuable_id, kind, action, user_id, changes, oldrev } = change
  const scope = { project_id }
  const hooks = await listWebhooksOfScope(tx, scope)
  if (hooks.length === 0) return
  const isConfidential = (await findIssuableRow(tx, issuable_id))?.confidential === true
  const issueEvent = isConfidential ? 'confidential_issues_events' : 'issues_events'
  const event = kind === 'merge_request' ? 'merge_requests_events' : issueEvent
  const step = { issuable_id, action, user_id, changes, oldrev }
  const about = { kind: 'issuable', ...step, isConfidential } as const
  await enqueueHookCalls({ tx, clock }, scope, { hooks, calls: [{ event, about }] })
}

/** Enqueues the webhooks of a new note. */
export async function enqueueNoteHooks({
  tx,
  clock,
  project_id,
  note_id,
  user_id,
}: {
  tx: Db
  clock: Clock
  project_id: number
  note_id: number
  user_id: number
}): Promise<void> {
  const scope = { project_id }
  const hooks = await listWebhooksOfScope(tx, scope)
  if (hooks.length === 0) return
  const note = await findNote(tx, note_id)
  if (!note) return
  const issuable =
    note.issuable_id === null ? undefined : await findIssuableRow(tx, note.issuable_id)
  const isConfidential = note.confidential || issuable?.confidential === true
  const event = isConfidential ? 'confidential_note_events' : 'note_events'
  const about = { kind: 'note', note_id, user_id, isConfidential } as const
  await enqueueHookCalls({ tx, clock }, scope, { hooks, calls: [{ event, about }] })
}
