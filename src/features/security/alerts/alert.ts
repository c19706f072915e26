// Public functions of alerts: their type, and the names of severities and statuses (docs/api/alerts.md).

import type { Db } from '../../../db/db.ts'

/** The severities in the order of the numbers that are stored; the most severe first. */
export const alertSeverities = ['critical', 'high', 'medium', 'low', 'info', 'unknown'] as const
export type AlertSeverity = (typeof alertSeverities)[number]

/** The statuses in the order of the numbers that are stored. */
export const alertStatuses = ['triggered', 'acknowledged', 'resolved', 'ignored'] as const
export type AlertStatus = (typeof alertStatuses)[number]

/** An alert as a monitoring tool sent it, with texts cut to their maximum length. */
export type ReceivedAlert = {
  title: string
  description: string | null
  service: string | null
  monitoring_tool: string | null
  hosts: string[]
  severity: AlertSeverity
  started_at: string
  /** The time when the alert ended; null while it is open. */
  ended_at: string | null
  /** The SHA-1 by which the same alert is recognized; null for an alert that is never the same as another. */
  fingerprint: string | null
  /** The name of the alert's environment. */
  environment: string | null
  /** The payload as JSON. */
  payload: string
}

/** The fields of an alert for the response to the sender and for what follows. */
export type RecordedAlert = { id: number; iid: number; title: string; issue_id: number | null }

/** Returns the response to a sender: every alert once, by number. */
export function presentRecordedAlerts(
  recorded: readonly RecordedAlert[],
): { iid: number; title: string }[] {
  const all = new Map(recorded.map(({ iid, title }) => [iid, { iid, title }]))
  return [...all.values()].sort((a, b) => a.iid - b.iid)
}

/** What happens to new alerts in the project. */
export type AlertSettings = {
  create_issue: boolean
  send_email: boolean
  auto_close_incident: boolean
}

/** The settings of a project without a row (docs/api/alerts.md, "Settings"). */
export const defaultAlertSettings: AlertSettings = {
  create_issue: false,
  send_email: false,
  auto_close_incident: true,
}

/** Returns the alert settings of a project, or the defaults. */
export async function readAlertSettings(db: Db, project_id: number): Promise<AlertSettings> {
  const row = await db
    .selectFrom('alert_settings')
    .select(['create_issue', 'send_email', 'auto_close_incident'])
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  return row ?? defaultAlertSettings
}

/** Returns the id of a project's alert by its number. */
export async function findAlertId(
  db: Db,
  { project_id, iid }: { project_id: number; iid: number },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('alerts')
    .select('id')
    .where('project_id', '=', project_id)
    .where('iid', '=', iid)
    .executeTakeFirst()
  return row?.id
}
