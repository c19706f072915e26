// Changes the status and assignees of an alert (docs/api/alerts.md, "Changing an alert").
import type { Tier } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { findViolatedIndex } from '../../../db/dialect.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { invalid } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import type { Project } from '../../../subjects/project.ts'
import { insertSystemNotes } from '../../planning/issuables/issuable.ts'
import { type Alert, updateAlert } from './alert.store.ts'
import { enqueueAlertFollowUps } from './alert.tasks.ts'
import { type AlertStatus, alertStatuses, readAlertSettings } from './alert.ts'
import { filterAlertAssignableUserIds, replaceAlertAssignees } from './alert-people.store.ts'

type Uses = { tx: Db; clock: Clock; config: { tier: Tier }; user_id: number }

/**
 * Changes the status of an alert, from any to any other. Requires lockAlerts. Only resolved alerts have an end time. Throws
 * 400 if another open alert has the same fingerprint.
 */
export async function changeAlertStatus(
  { tx, clock, user_id }: Uses,
  { alert, status }: { alert: Alert; status: AlertStatus },
): Promise<void> {
  if (alertStatuses[alert.status] === status) return
  const now = timestamp(clock)
  try {
    await updateAlert(tx, alert.id, {
      status: alertStatuses.indexOf(status) as Alert['status'],
      ended_at: status === 'resolved' ? now : null,
      updated_at: now,
    })
  } catch (error) {
    if (findViolatedIndex(error) === undefined) throw error
    throw invalid('Cannot have multiple unresolved alerts')
  }
  if (alert.issue_id !== null) {
    await insertSystemNotes(tx, clock, {
      issuable: { id: alert.issue_id, project_id: alert.project_id },
      author_id: user_id,
      bodies: [`changed the status of the alert to **${status}**`],
    })
  }
  if (status !== 'resolved') return
  const settings = await readAlertSettings(tx, alert.project_id)
  await enqueueAlertFollowUps({ tx, clock }, settings, [{ alert, what: 'resolved' }])
}

/** Assigns those of the users who can see the alert; on the free tier one. If none of them can, nothing changes. */
export async function changeAlertAssignees(
  { tx, clock, config }: Uses,
  { alert, project, ids }: { alert: Alert; project: Project; ids: readonly number[] },
): Promise<void> {
  const most = config.tier === 'free' ? 1 : limits.alerts.assignees_max
  const wanted = [...new Set(ids.filter((id) => id > 0))].slice(0, most)
  const found = await filterAlertAssignableUserIds(tx, project, wanted)
  if (wanted.length > 0 && found.length === 0) return
  await replaceAlertAssignees(tx, alert.id, found)
  await updateAlert(tx, alert.id, { updated_at: timestamp(clock) })
}
