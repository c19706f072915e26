// Emails about alerts to those who maintain the project (docs/api/alerts.md, "Emails").
import { Level } from '../../../access/level.ts'
import { findVisibleProject } from '../../../subjects/project.ts'
import { actorUserOf, canReceiveEmails, findUser } from '../../../subjects/user.ts'
import {
  buildEmailLink,
  composeEmail,
  defineEmailTask,
  sanitizeNameForEmail,
} from '../../people/outgoing-emails/email-task.ts'
import { findAlert } from './alert.store.ts'
import { severities } from './alert.ts'

export type AlertEmailInput = { alert_id: number; user_id: number; what: 'triggered' | 'resolved' }

/** Tells one maintainer that an alert was triggered or resolved. */
export const alertEmail = defineEmailTask({
  name: 'send-alert-letter',
  async write({ db, config }, { alert_id, user_id, what }: AlertEmailInput) {
    const user = await findUser(db, user_id)
    const alert = await findAlert(db, { id: alert_id })
    if (!user || !alert || user.confirmed_at === null || !canReceiveEmails(user)) return undefined
    const actor = { user: actorUserOf(user), token: undefined }
    const found = await findVisibleProject(db, actor, { id: alert.project_id })
    if (!found || found.level < Level.maintainer) return undefined
    const title = sanitizeNameForEmail(alert.title)
    const project = sanitizeNameForEmail(found.project.full_name)
    const { full_path } = found.project
    return composeEmail(config, {
      to: user.email,
      subject: `${project}: alert ${what}: ${title}`,
      paragraphs: [
        `Hello, ${sanitizeNameForEmail(user.name)}!`,
        `An alert of ${project} was ${what}: ${title}`,
      ],
      facts: [
        ['Severity', severities[alert.severity] ?? ''],
        ['Since', alert.started_at],
        ['Events', String(alert.events)],
      ],
      link: {
        words: 'Open the alert',
        url: buildEmailLink(config, `${full_path}/-/alert_management/${alert.iid}/details`),
      },
      reason: `You receive this email because you maintain ${project}, which sends an email for each alert.`,
      settings: {
        words: 'Change the settings of alerts',
        url: buildEmailLink(config, `${full_path}/-/settings/monitor`),
      },
    })
  },
})
