// What follows a received alert: its incident and emails (docs/api/alerts.md, "Background processing").

import { anonymous } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { findProject, type Project } from '../../../subjects/project.ts'
import { defineTask, enqueueAll } from '../../../tasks/task.ts'
import { enqueueEmails } from '../../people/outgoing-emails/email-task.ts'
import { type Alert, findAlert } from './alert.store.ts'
import { type AlertSettings, readAlertSettings } from './alert.ts'
import { type AlertEmailInput, alertEmail } from './alert-email.ts'
import { listProjectMaintainerIds } from './alert-people.store.ts'
import { closeIncidentOfAlert, createIncidentIfMissing } from './incident.ts'

/** What happened to an alert. `counted`: it was sent again; `known`: its end was sent again. */
export type AlertOutcome = 'triggered' | 'counted' | 'resolved' | 'known'
export type AlertResult = { alert: Pick<Alert, 'id' | 'issue_id'>; what: AlertOutcome }
type Payload = { alert_id: number; what: AlertOutcome }
type Uses = Pick<Instance, 'db' | 'clock' | 'config'>

const maintainers_a_statement = 500

/**
 * Creates or closes the incident and enqueues emails, according to the project's current settings. Safe to repeat: there is
 * one incident, and a waiting email is not enqueued again.
 */
export const handleAlertTask = defineTask({
  name: 'follow-alert',
  lane: 'events',
  async run({ db, clock, config }: Uses, { alert_id, what }: Payload) {
    await runTransaction(db, async (tx) => {
      const alert = await findAlert(tx, { id: alert_id })
      const found = alert && (await findProject(tx, anonymous, { id: alert.project_id }))
      if (!alert || !found) return
      const { project } = found
      const settings = await readAlertSettings(tx, project.id)
      const uses = { tx, clock, config, baseUrl: config.url ?? '' }
      if (what !== 'resolved' && settings.create_issue)
        await createIncidentIfMissing(uses, project, alert_id)
      if (what === 'resolved' && settings.auto_close_incident) {
        await closeIncidentOfAlert(uses, project, alert)
      }
      if (settings.send_email && (what === 'triggered' || what === 'resolved')) {
        await enqueueAlertEmails({ db: tx, clock, config }, project, { alert_id, what })
      }
    })
  },
})

/** Enqueues the tasks that the alert settings of the project require, in the transaction that records the alerts. */
export async function enqueueAlertFollowUps(
  { tx, clock }: { tx: Db; clock: Clock },
  { create_issue, send_email, auto_close_incident }: AlertSettings,
  happened: readonly AlertResult[],
): Promise<void> {
  const isWanted = ({ alert, what }: AlertResult) => {
    if (what === 'triggered') return create_issue || send_email
    if (what === 'resolved') return send_email || (auto_close_incident && alert.issue_id !== null)
    return what === 'counted' && create_issue && alert.issue_id === null
  }
  const requests = happened.filter(isWanted).map(({ alert: { id }, what }) => ({
    key: `${id}:${what}`,
    payload: { alert_id: id, what },
  }))
  await enqueueAll(tx, clock, { task: handleAlertTask, requests })
}

async function enqueueAlertEmails(
  { db: tx, clock, config }: Uses,
  project: Project,
  { alert_id, what }: Omit<AlertEmailInput, 'user_id'>,
): Promise<void> {
  for (let after = 0; ; ) {
    const limit = maintainers_a_statement
    const ids = await listProjectMaintainerIds(tx, project, { after, limit })
    const requests = ids.map((user_id) => ({
      key: `${alert_id}:${what}:${user_id}`,
      payload: { alert_id, user_id, what },
    }))
    await enqueueEmails(tx, { clock, config }, alertEmail, requests)
    const last = ids.at(-1)
    if (last === undefined || ids.length < limit) return
    after = last
  }
}

export const alertTasks = [handleAlertTask, alertEmail]
