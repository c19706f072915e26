import type { SentAlert } from './alert.ts'
import type { Payload } from './payload.ts'
import { type Reading, readAlert } from './read-alert.ts'
import { isAlertmanager, readAlertmanager } from './read-alertmanager.ts'

/** The alerts of a body: one of Alertmanager is that wherever it is sent (docs/api/alerts.md, "Alertmanager"). */
export function readPayload(payload: Payload, reading: Reading): SentAlert[] {
  return isAlertmanager(payload)
    ? readAlertmanager(payload, reading.now)
    : [readAlert(payload, reading)]
}
