// The way alerts take from a body to the database, whoever sends it (docs/api/alerts.md, "Alertmanager").
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { AlertSettings, RecordedAlert } from './alert.ts'
import type { Payload } from './payload.ts'
import { type Reading, readAlert } from './read-alert.ts'
import { isAlertmanager, readAlertmanager } from './read-alertmanager.ts'
import { recordAlerts } from './record-alerts.ts'

/**
 * Reads and records the alerts of a body in the caller's transaction: a body of Alertmanager is one wherever it
 * is sent. Answers what became of each.
 */
export function receiveAlerts(
  uses: { tx: Db; clock: Clock },
  place: { project_id: number; settings: AlertSettings },
  { payload, reading }: { payload: Payload; reading: Reading },
): Promise<RecordedAlert[]> {
  const sent = isAlertmanager(payload)
    ? readAlertmanager(payload, reading.now)
    : [readAlert(payload, reading)]
  return recordAlerts(uses, place, sent)
}
