// Builds notification emails. Access, addresses and texts are checked again when an email is sent, since they may have
// changed.
import type { Actor } from '../../../access/actor.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import type { EmailHeader, EmailMessage } from '../../../mail/mail.ts'
import {
  findIssuable,
  type Issuable,
  type IssuableSubject,
  issuableUrl,
  mayReadIssuable,
  shortIssuableReference,
} from '../../../subjects/issuable.ts'
import { mayReadPipelines } from '../../../subjects/pipeline.ts'
import { findVisibleProject, type Project, projectUrl } from '../../../subjects/project.ts'
import { serverUrl } from '../../../subjects/server-url.ts'
import { actorUserFromUser, findUser, type User } from '../../../subjects/user.ts'
import { isAddressOfUser } from '../../people/emails/email.ts'
import {
  buildEmailLink,
  composeEmail,
  defineEmailTask,
  emailLanguageOf,
  sanitizeNameForEmail,
} from '../../people/outgoing-emails/email-task.ts'
import { type EmailPassage, renderEmailProse } from './email-prose.ts'
import {
  findNamesOfUsers,
  findNotificationEmail,
  findPipelineForNotification,
  findTitlesOfLabels,
  listNotesForNotification,
  type NoteForNotification,
} from './notification.store.ts'
import {
  canBeNotifiedByEmail,
  type IssuableHappening,
  type IssuableNews,
  type NotificationReason,
} from './notification.ts'
import { notificationTexts } from './notification-texts.ts'
import { buildUnsubscribePath } from './unsubscribe.ts'

/** Returns the user as a caller; undefined if they no longer receive emails. */
async function findRecipient(
  db: Db,
  user_id: number,
): Promise<{ user: User; actor: Actor } | undefined> {
  const user = await findUser(db, user_id)
  if (!user || !canBeNotifiedByEmail(user)) return undefined
  return { user, actor: { user: actorUserFromUser(user), token: undefined } }
}

/**
 * Returns the chosen notification address if it still belongs to the user and is confirmed, otherwise the
 * primary one.
 */
async function addressOf(db: Db, user: User): Promise<string> {
  const chosen = await findNotificationEmail(db, user.id)
  return chosen !== undefined && (await isAddressOfUser(db, user, chosen)) ? chosen : user.email
}

/** The maximum length of a List-Id (RFC 2919, section 3). */
const list_id_characters = 255

/** Returns headers by which mail programs sort emails of a project. */
function projectHeaders(project: Project, config: Config): Partial<Record<EmailHeader, string>> {
  const { full_path, id, path } = project
  const host = URL.parse(serverUrl(config))?.hostname ?? 'localhost'
  const reversed = full_path.split('/').toReversed().join('.')
  const list = `${id}.${reversed}.${host}`
  return {
    'List-Id': list.length <= list_id_characters ? `${full_path} <${list}>` : `<${id}.${host}>`,
    'X-GitLab-Project': path,
    'X-GitLab-Project-Id': String(id),
    'X-GitLab-Project-Path': full_path,
  }
}

/** Returns a title for a subject line: on one line, without direction marks, and cut to a maximum length. */
function subjectText(text: string): string {
  const plain = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  const characters = [...plain]
  const { subject_characters } = limits.mail
  return characters.length <= subject_characters
    ? plain
    : `${characters.slice(0, subject_characters).join('')}…`
}

type NotificationPayload = { user_id: number; reason: NotificationReason; news: IssuableNews }

export const notificationEmailTask = defineEmailTask({
  name: 'send-notification',
  lane: 'notifications',
  async write(uses, payload: NotificationPayload) {
    const recipient = await findRecipient(uses.db, payload.user_id)
    const about = recipient && (await findReadableNews(uses.db, recipient.actor, payload.news))
    return about && writeNotification(uses, { ...payload, ...recipient, ...about })
  },
})

type ReadableNews = { subject: IssuableSubject; notes: readonly NoteForNotification[] }

/** Returns the content of the news if the user may read it at this moment. */
async function findReadableNews(
  db: Db,
  actor: Actor,
  { project_id, issuable_id, note_ids }: IssuableNews,
): Promise<ReadableNews | undefined> {
  const found = await findVisibleProject(db, actor, { id: project_id })
  const thing = found && (await findIssuable(db, actor, { id: issuable_id }))
  // An issuable that has moved to another project is not reported here.
  if (!thing || thing.issuable.project_id !== project_id) return undefined
  const { project, level } = found
  const subject = { ...project, ...thing }
  if (!mayReadIssuable({ subject, level, actor })) return undefined
  const notes = await listNotesForNotification(db, note_ids, { actor, level })
  return note_ids && notes.length === 0 ? undefined : { subject, notes }
}

async function writeNotification(
  uses: Instance,
  {
    user,
    actor,
    subject,
    notes,
    news,
    reason,
  }: NotificationPayload & ReadableNews & { user: User; actor: Actor },
): Promise<EmailMessage> {
  const { db, config } = uses
  const { issuable, isAssignee: _, ...project } = subject
  const { kind } = issuable
  const language = emailLanguageOf(user)
  const texts = notificationTexts[language]
  const isFirst = news.happenings.includes('open')
  const reader = { ...uses, actor, baseUrl: serverUrl(config) }
  const passages = passagesOf({ issuable, notes, isDescribed: isFirst || isMention(news) })
  const prose =
    passages.length > 0 ? await renderEmailProse(reader, { passages, project }) : undefined
  const [note] = notes
  const heading = `${subjectText(issuable.title)} (${shortIssuableReference(issuable)})`
  const url = issuableUrl(serverUrl(config), project, issuable)
  const thread = { user_id: user.id, issuable_id: issuable.id }
  const end = buildEmailLink(config, buildUnsubscribePath(uses, thread))
  const iid = kind === 'issue' ? 'X-GitLab-Issue-IID' : 'X-GitLab-MergeRequest-IID'
  return composeEmail(config, {
    to: await addressOf(db, user),
    language,
    subject: `${isFirst ? '' : 'Re: '}${subjectText(project.name)} | ${heading}`,
    heading,
    paragraphs: await writeSentences(db, { news, texts, kind, notes }),
    prose,
    link: { words: texts.open(kind), url: note ? `${url}#note_${note.id}` : url },
    notes: prose?.isCut ? [texts.readOn] : [],
    reason: texts.reasons[reason],
    settings: { words: texts.settings, url: settingsUrl(config) },
    unsubscribe: { words: texts.unsubscribe, url: end },
    thread: { name: `${kind}_${issuable.id}`, isFirst },
    headers: {
      ...projectHeaders(project, config),
      [iid]: String(issuable.iid),
      'X-GitLab-NotificationReason': reason,
      'List-Unsubscribe': `<${end}>`,
      // With RFC 8058, mail programs unsubscribe with a single click, by a POST.
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  })
}

/** Returns the texts of users: those of the notes, or otherwise the description. */
function passagesOf({
  issuable: { description },
  notes,
  isDescribed,
}: {
  issuable: Issuable
  notes: readonly NoteForNotification[]
  isDescribed: boolean
}): EmailPassage[] {
  if (notes.length > 0) return notes.map((note) => ({ text: note.body, on: placeOf(note) }))
  return isDescribed && description ? [{ text: description }] : []
}

/** Returns the file and line of a note on a diff. */
function placeOf({ position }: NoteForNotification): string | undefined {
  const { new_path, old_path, new_line, old_line } = position ?? {}
  const path = subjectText(String(new_path ?? old_path ?? ''))
  const line = Number(new_line ?? old_line)
  if (path === '') return undefined
  return Number.isInteger(line) && line > 0 ? `${path}:${line}` : path
}

const isMention = ({ happenings }: IssuableNews) => happenings.includes('mention')
const settingsUrl = (config: Config) => buildEmailLink(config, '-/profile/notifications')

type Texts = (typeof notificationTexts)['en']

/** Returns one sentence for each change, with names that contain no links. */
async function writeSentences(
  db: Db,
  {
    news,
    texts,
    kind,
    notes,
  }: {
    news: IssuableNews
    texts: Texts
    kind: 'issue' | 'merge_request'
    notes: readonly NoteForNotification[]
  },
): Promise<string[]> {
  const doer = news.user_id === null ? undefined : await findUser(db, news.user_id)
  const who = doer ? sanitizeNameForEmail(doer.name) : texts.someone
  const listOf = async (ids?: readonly number[]) =>
    (await findNamesOfUsers(db, ids)).map(sanitizeNameForEmail).join(', ')
  const names = async (happening: IssuableHappening) => {
    if (happening === 'label') {
      const titles = await findTitlesOfLabels(db, news.label_ids)
      return { added: titles.map((title) => `~${subjectText(title)}`).join(', '), removed: '' }
    }
    const isReview = happening === 'review'
    return {
      added: await listOf(isReview ? news.reviewer_ids : news.assigned_ids),
      removed: await listOf(isReview ? news.removed_reviewer_ids : news.unassigned_ids),
    }
  }
  // The text that follows a note or a mention belongs to the last sentence.
  const order = news.happenings.toSorted(
    (one, other) => Number(isLast(one)) - Number(isLast(other)),
  )
  const isInternal = notes.some(({ confidential }) => confidential)
  const written: string[] = []
  for (const happening of order) {
    const told = { ...(await names(happening)), isInternal, notes: notes.length }
    written.push(texts.happened[happening]({ who, kind, ...told }))
  }
  return written
}

const isLast = (happening: IssuableHappening) => happening === 'note' || happening === 'mention'

type PipelinePayload = {
  user_id: number
  project_id: number
  pipeline_id: number
  outcome: 'failed' | 'fixed' | 'success'
}

export const pipelineEmailTask = defineEmailTask({
  name: 'send-pipeline-notification',
  lane: 'notifications',
  async write(uses, { user_id, project_id, pipeline_id, outcome }: PipelinePayload) {
    const { db, config } = uses
    const recipient = await findRecipient(uses.db, user_id)
    if (!recipient) return undefined
    const { user, actor } = recipient
    const found = await findVisibleProject(db, actor, { id: project_id })
    const pipeline = await findPipelineForNotification(db, pipeline_id)
    if (!found || !pipeline) return undefined
    const { project, level } = found
    if (!mayReadPipelines({ subject: project, level, actor })) return undefined
    const language = emailLanguageOf(user)
    const texts = notificationTexts[language]
    const heading = texts.pipeline[outcome](pipeline_id, subjectText(pipeline.ref))
    return composeEmail(config, {
      to: await addressOf(db, user),
      language,
      subject: `${subjectText(project.name)} | ${heading}`,
      heading,
      paragraphs: [`${heading}.`],
      facts: [
        [texts.project, subjectText(project.full_name)],
        [texts.commit, pipeline.sha.slice(0, 8)],
      ],
      link: {
        words: texts.viewPipeline,
        url: `${projectUrl(serverUrl(config), project)}/-/pipelines/${pipeline_id}`,
      },
      reason: texts.reasons.own_activity,
      settings: { words: texts.settings, url: settingsUrl(config) },
      headers: {
        ...projectHeaders(project, config),
        'X-GitLab-Pipeline-Id': String(pipeline_id),
        'X-GitLab-Pipeline-Ref': pipeline.ref,
        'X-GitLab-Pipeline-Status': pipeline.status,
        'X-GitLab-NotificationReason': 'own_activity',
      },
    })
  },
})
