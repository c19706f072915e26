// Emails about alerts to Maintainers of the project (docs/api/alerts.md, "Emails").
import { Level } from '../../../access/level.ts'
import { findVisibleProject } from '../../../subjects/project.ts'
import { actorUserFromUser, canReceiveEmails, findUser } from '../../../subjects/user.ts'
import {
  buildEmailLink,
  commonEmailTexts,
  composeEmail,
  defineEmailTask,
  emailLanguageOf,
  sanitizeNameForEmail,
} from '../../people/outgoing-emails/email-task.ts'
import type { PageLanguage } from '../../people/profiles/preferences.ts'
import { findAlert } from './alert.store.ts'
import { type AlertSeverity, alertSeverities } from './alert.ts'

type What = 'triggered' | 'resolved'
export type AlertEmailInput = { alert_id: number; user_id: number; what: What }

const english = {
  subject: (project: string, { what, title }: { what: What; title: string }) =>
    `${project}: alert ${what}: ${title}`,
  text: (project: string, { what, title }: { what: What; title: string }) =>
    `An alert of ${project} was ${what}: ${title}`,
  severity: 'Severity',
  nameOf: (severity: AlertSeverity): string => severity,
  since: 'Since',
  events: 'Events',
  link: 'Open the alert',
  reason: (project: string) =>
    `You receive this email because you maintain ${project}, which sends an email for each alert.`,
  settings: 'Change the settings of alerts',
}

const german = { triggered: 'ausgelöst', resolved: 'behoben' }
const germanSeverities = {
  critical: 'kritisch',
  high: 'hoch',
  medium: 'mittel',
  low: 'niedrig',
  info: 'Info',
  unknown: 'unbekannt',
}

const texts: Record<PageLanguage, typeof english> = {
  en: english,
  de: {
    subject: (project, { what, title }) => `${project}: Alarm ${german[what]}: ${title}`,
    text: (project, { what, title }) =>
      `Ein Alarm des Projekts ${project} wurde ${german[what]}: ${title}`,
    severity: 'Schweregrad',
    nameOf: (severity) => germanSeverities[severity],
    since: 'Seit',
    events: 'Ereignisse',
    link: 'Alarm öffnen',
    reason: (project) =>
      `Sie erhalten diese E-Mail, weil Sie Maintainer des Projekts ${project} sind, das zu jedem Alarm eine E-Mail sendet.`,
    settings: 'Einstellungen der Alarme ändern',
  },
}

/** Notifies a Maintainer that an alert was triggered or resolved. */
export const alertEmail = defineEmailTask({
  name: 'send-alert-letter',
  async write({ db, config }, { alert_id, user_id, what }: AlertEmailInput) {
    const user = await findUser(db, user_id)
    const alert = await findAlert(db, { id: alert_id })
    if (!user || !alert || user.confirmed_at === null || !canReceiveEmails(user)) return undefined
    const actor = { user: actorUserFromUser(user), token: undefined }
    const found = await findVisibleProject(db, actor, { id: alert.project_id })
    if (!found || found.level < Level.maintainer) return undefined
    const title = sanitizeNameForEmail(alert.title)
    const project = sanitizeNameForEmail(found.project.full_name)
    const { full_path } = found.project
    const language = emailLanguageOf(user)
    const text = texts[language]
    return composeEmail(config, {
      to: user.email,
      language,
      subject: text.subject(project, { what, title }),
      paragraphs: [
        commonEmailTexts[language].greeting(sanitizeNameForEmail(user.name)),
        text.text(project, { what, title }),
      ],
      facts: [
        [text.severity, text.nameOf(alertSeverities[alert.severity] ?? 'unknown')],
        [text.since, alert.started_at],
        [text.events, String(alert.events)],
      ],
      link: {
        words: text.link,
        url: buildEmailLink(config, `${full_path}/-/alert_management/${alert.iid}/details`),
      },
      reason: text.reason(project),
      settings: {
        words: text.settings,
        url: buildEmailLink(config, `${full_path}/-/settings/monitor`),
      },
    })
  },
})
