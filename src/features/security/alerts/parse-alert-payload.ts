import type { SentAlert } from './alert.ts'
import { type AlertParsingOptions, parseAlert } from './parse-alert.ts'
import { isAlertmanager, parseAlertmanagerPayload } from './parse-alertmanager-payload.ts'
import type { Payload } from './payload.ts'

/** The alerts of a body: one of Alertmanager is that wherever it is sent (docs/api/alerts.md, "Alertmanager"). */
export function parseAlertPayload(payload: Payload, reading: AlertParsingOptions): SentAlert[] {
  return isAlertmanager(payload)
    ? parseAlertmanagerPayload(payload, reading.now)
    : [parseAlert(payload, reading)]
}
