// The subject of a webhook call as stored in a task: ids, and values that are true only at that moment. Everything else
// is loaded when the call is made.
import type { CiStatus } from '../../../db/db.ts'
import type { RefUpdate } from '../../../git/update-refs.ts'
import type { WikiPageChange } from '../../content/wikis/page-changed.ts'
import type { ReleaseLinkRow, ReleaseRow } from './webhook-payload.ts'

export type WebhookRefMove = Pick<RefUpdate, 'name' | 'oldOid' | 'newOid'>
export type WebhookChanges = Record<string, { previous: unknown; current: unknown }>

export type WebhookSubject =
  | {
      kind: 'push'
      project_id: number
      user_id: number | null
      move: WebhookRefMove
      options: readonly string[]
    }
  | {
      kind: 'repository_update'
      project_id: number
      user_id: number | null
      moves: WebhookRefMove[]
    }
  | { kind: 'pipeline'; pipeline_id: number; status: CiStatus }
  | { kind: 'job'; job_id: number; status: CiStatus }
  | { kind: 'deployment'; job_id: number; status: CiStatus; at: string }
  | {
      kind: 'issuable'
      issuable_id: number
      action: string
      user_id: number
      changes: WebhookChanges
      oldrev?: string
      /**
       * Whether it was confidential at the time, since webhooks may subscribe to events that are not
       * confidential only.
       */
      isConfidential: boolean
    }
  | { kind: 'note'; note_id: number; user_id: number; isConfidential: boolean }
  | { kind: 'release'; action: string; release: ReleaseRow; links: ReleaseLinkRow[] }
  | {
      kind: 'wiki_page'
      project_id: number
      user_id: number
      commit: string
      change: WikiPageChange
    }
  /** The whole payload, if it is short or its data will no longer exist when the call is made. */
  | { kind: 'body'; body: Record<string, unknown> }
