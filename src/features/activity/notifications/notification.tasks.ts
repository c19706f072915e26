import { anonymous } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import { findIssuablesByIds, type Issuable } from '../../../subjects/issuable.ts'
import { findProject, type Project } from '../../../subjects/project.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import { enqueueEmails } from '../../people/outgoing-emails/email-task.ts'
import {
  filterUsersWhoCanReadIssuable,
  findIssuableReaderScope,
} from '../../planning/issuables/list-references.ts'
import { parseReferences } from '../../planning/issuables/text-references.ts'
import {
  chooseNewsForPerson,
  isNotifiedOfPipeline,
  nearestNotificationSetting,
} from './choose-recipients.ts'
import {
  filterUnsubscribedUserIds,
  findInvolvementsByUser,
  findNotificationSettingsByUser,
  findPipelineForNotification,
  findUserIdsByUsername,
  hasEmailsDisabled,
  listNotesForNotification,
  listNotificationCandidateIds,
  type NotificationScope,
} from './notification.store.ts'
import { canBeNotifiedByEmail, type IssuableNews, type PipelineNews } from './notification.ts'
import { notificationEmailTask, pipelineEmailTask } from './notification-email.ts'
import { type NotifyPayload, notifyTaskName } from './watch-changes.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config'>

/**
 * Determines the recipients of one change and enqueues an email to each, for a limited number of users in one run; a
 * further task, enqueued in the same transaction, continues with the next ones. Run again after a crash, it enqueues no
 * email twice unless that was sent meanwhile.
 */
const notifyPeople = defineTask({
  ...notifyTaskName,
  async run(uses: Uses, payload: NotifyPayload) {
    const { news } = payload
    if (await hasEmailsDisabled(uses.db, news.project_id)) return
    if (news.kind === 'pipeline') await notifyOfEnd(uses, payload.id, news)
    else await notifyBatch(uses, payload, news)
  },
})

async function notifyBatch(
  { db, clock, config }: Uses,
  { id, after = 0 }: NotifyPayload,
  news: IssuableNews,
): Promise<void> {
  const about = await loadNews(db, news)
  if (!about) return
  const { scope, issuable, named_ids } = about
  const limit = limits.mail.recipients_at_once
  const ids = await listNotificationCandidateIds(db, scope, { after, besides: news.user_id, limit })
  if (ids.length === 0) return
  const told = await chooseRecipients(db, { ...about, news, ids })
  const last = ids.at(-1) ?? after
  const { usernames: _, ...kept } = news
  await runTransaction(db, async (tx) => {
    await enqueueEmails(
      tx,
      { clock, config },
      notificationEmailTask,
      told.map(({ user_id, happenings, reason }) => ({
        key: `${id}:${user_id}`,
        payload: { user_id, reason, news: { ...kept, happenings } },
      })),
    )
    if (ids.length === limit) {
      const payload: NotifyPayload = { id, news, after: last }
      await enqueue(tx, clock, { task: notifyTaskName, key: `${id}:${last}`, payload })
    }
  })

  async function chooseRecipients(
    db: Db,
    { isInternal, project, ids }: LoadedNews & { news: IssuableNews; ids: readonly number[] },
  ) {
    const seen = await findIssuableReaderScope(db, { project, issuable })
    const readers = await filterUsersWhoCanReadIssuable(
      db,
      isInternal ? { project, isRestricted: true } : seen,
      {
        ids,
      },
    )
    const may = readers.filter(canBeNotifiedByEmail).map((user) => user.id)
    if (may.length === 0) return []
    const connections = await findInvolvementsByUser(db, scope, may)
    const settings = await findNotificationSettingsByUser(db, project, may)
    const unsubscribed = await filterUnsubscribedUserIds(db, issuable.id, may)
    return may.flatMap((user_id) => {
      const chosen = chooseNewsForPerson(
        {
          user_id,
          connections: connections.get(user_id) ?? new Set(),
          setting: nearestNotificationSetting(settings.get(user_id) ?? []),
          isUnsubscribed: unsubscribed.has(user_id),
        },
        news,
        { kind: issuable.kind, named_ids },
      )
      return chosen ? [{ user_id, ...chosen }] : []
    })
  }
}

type LoadedNews = {
  project: Project
  issuable: Issuable
  /** Whether only Reporters may read the text. */
  isInternal: boolean
  /** The users that the text mentions. */
  named_ids: readonly number[]
  scope: NotificationScope
}

/** Loads the current state of what the news is about; undefined if it was deleted. */
async function loadNews(db: Db, news: IssuableNews): Promise<LoadedNews | undefined> {
  const found = await findProject(db, anonymous, { id: news.project_id })
  const issuable = (await findIssuablesByIds(db, [news.issuable_id])).get(news.issuable_id)
  if (!found || !issuable) return undefined
  const { project } = found
  const notes = await listNotesForNotification(db, news.note_ids)
  if (news.note_ids && notes.length === 0) return undefined
  const usernames = news.note_ids
    ? notes.flatMap(({ body }) => parseReferences(body).usernames)
    : (news.usernames ?? [])
  const named_ids = await findUserIdsByUsername(db, usernames)
  const { happenings, label_ids = [] } = news
  const { assigned_ids = [], unassigned_ids = [] } = news
  const { reviewer_ids = [], removed_reviewer_ids = [] } = news
  const isInternal = notes.some(({ confidential }) => confidential)
  return {
    ...{ project, issuable, isInternal, named_ids },
    scope: {
      ...{ project, issuable },
      isForAll: happenings.some((happening) => happening !== 'mention' && happening !== 'label'),
      direct_ids: [
        ...named_ids,
        ...assigned_ids,
        ...unassigned_ids,
        ...reviewer_ids,
        ...removed_reviewer_ids,
      ],
      label_ids: happenings.includes('open') ? 'of the issuable' : label_ids,
    },
  }
}

/** Notifies the user who started a pipeline of its result. */
async function notifyOfEnd(
  { db, clock, config }: Uses,
  id: string,
  { project_id, pipeline_id, status }: PipelineNews,
): Promise<void> {
  const pipeline = await findPipelineForNotification(db, pipeline_id)
  // Child pipelines are reported as part of their parents.
  if (!pipeline || pipeline.parent_id !== null || pipeline.user_id === null) return
  const found = await findProject(db, anonymous, { id: project_id })
  if (!found) return
  const { user_id, status_before } = pipeline
  const isFixed = status === 'success' && status_before === 'failed'
  const outcome = isFixed ? ('fixed' as const) : status
  const settings = await findNotificationSettingsByUser(db, found.project, [user_id])
  if (!isNotifiedOfPipeline(nearestNotificationSetting(settings.get(user_id) ?? []), outcome))
    return
  const payload = { user_id, pipeline_id, project_id, outcome } as const
  await enqueueEmails(db, { clock, config }, pipelineEmailTask, [
    { key: `${id}:${user_id}`, payload },
  ])
}

export const notificationTasks = [notifyPeople, notificationEmailTask, pipelineEmailTask]
