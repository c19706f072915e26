// What users are notified of by email, and why (docs/api/notification-settings.md, "Emails").
import { databaseKeyOf } from '../../../db/after-commit.ts'
import type { Db } from '../../../db/db.ts'
import type { IssuableKind } from '../../../subjects/issuable.ts'
import { canReceiveEmails, type User } from '../../../subjects/user.ts'

/** A kind of change of an issue or merge request. */
export type IssuableHappening =
  | 'open'
  | 'note'
  | 'close'
  | 'reopen'
  | 'merge'
  | 'approve'
  | 'unapprove'
  | 'reassign'
  | 'review'
  | 'push'
  | 'auto_merge'
  | 'due'
  /** An edited text mentions a user whom it did not mention before. */
  | 'mention'
  | 'label'

/** One change of an issue or merge request, as small as it is stored in a task. */
export type IssuableNews = {
  kind: 'issuable'
  project_id: number
  issuable_id: number
  /** The author of the change, who is not notified; null if nobody made it. */
  user_id: number | null
  happenings: readonly IssuableHappening[]
  /** The notes of `note` in their order; several for a review. Either all of them or none are internal. */
  note_ids?: readonly number[]
  assigned_ids?: readonly number[]
  unassigned_ids?: readonly number[]
  reviewer_ids?: readonly number[]
  removed_reviewer_ids?: readonly number[]
  label_ids?: readonly number[]
  /** The usernames that an edited text mentions and did not mention before. */
  usernames?: readonly string[]
}

/** The end of a pipeline. */
export type PipelineNews = {
  kind: 'pipeline'
  project_id: number
  pipeline_id: number
  status: 'failed' | 'success'
}

export type News = IssuableNews | PipelineNews

/** The reasons for notifications, strongest first. */
export const notificationReasons = [
  'assigned',
  'mentioned',
  'review_requested',
  'author',
  'subscribed',
  'participating',
  'own_activity',
  'watching',
] as const
export type NotificationReason = (typeof notificationReasons)[number]

/** Whether the account belongs to a person, with a confirmed address. */
export function canBeNotifiedByEmail(user: User): boolean {
  return canReceiveEmails(user) && user.state === 'active' && user.confirmed_at !== null
}

/** Returns the name that settings have for the event; undefined if the level `custom` has no such event. */
export function notificationEventNameOf(
  happening: IssuableHappening,
  kind: IssuableKind,
): string | undefined {
  switch (happening) {
    case 'open':
      return `new_${kind}`
    case 'note':
      return 'new_note'
    case 'close':
    case 'reopen':
    case 'merge':
    case 'reassign':
      return `${happening}_${kind}`
    case 'review':
      return 'reassign_merge_request'
    case 'push':
      return 'push_to_merge_request'
    case 'auto_merge':
      return 'merge_when_pipeline_succeeds'
    case 'due':
      return 'issue_due'
    default:
      return undefined
  }
}

const sending = new WeakSet<object>()

/** Enables notifications about changes in this database by email. Called once, if the server can send email. */
export function enableNotifications(db: Db): void {
  sending.add(databaseKeyOf(db))
}

/** Whether notifications are sent: without a mail server nothing is stored or queried. */
export function areNotificationsEnabled(db: Db): boolean {
  return sending.has(databaseKeyOf(db))
}
