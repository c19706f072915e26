// Records alerts: new ones, further events of known ones, and their end
// (docs/api/alerts.md, "Deduplication and resolution").
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import {
  type AlertsOfFingerprint,
  incrementAlertEvents,
  insertAlerts,
  listAlreadyResolvedAlerts,
  lockAlerts,
  type RecordedAlertWithFingerprint,
  resolveAlerts,
} from './alert.store.ts'
import { type AlertOutcome, enqueueAlertFollowUps } from './alert.tasks.ts'
import type { AlertSettings, ReceivedAlert, RecordedAlert } from './alert.ts'

export type AlertProject = { project_id: number; settings: AlertSettings }
type Uses = { tx: Db; clock: Clock; project_id: number; now: string }
type Happened = {
  group: AlertsOfFingerprint
  alert: RecordedAlertWithFingerprint
  what: AlertOutcome
}

/**
 * Records alerts in the caller's transaction and enqueues what follows. Returns the outcome of each in the same order;
 * several with the same fingerprint count as one. The number of statements does not depend on the number of alerts.
 */
export async function recordAlerts(
  { tx, clock }: { tx: Db; clock: Clock },
  { project_id, settings }: AlertProject,
  sent: readonly ReceivedAlert[],
): Promise<RecordedAlert[]> {
  await lockAlerts(tx, project_id)
  const uses = { tx, clock, project_id, now: timestamp(clock) }
  const isOver = ({ ended_at }: ReceivedAlert) => ended_at !== null
  // Ended alerts come first: an alert that ended and started again is a new alert.
  const ended = await recordEnds(uses, groupAlerts(sent.filter(isOver)))
  const begun = await recordEvents(uses, groupAlerts(sent.filter((alert) => !isOver(alert))))
  const happened = [...ended, ...begun]
  await enqueueAlertFollowUps(uses, settings, happened)
  const recorded = new Map(
    happened.flatMap(({ group, alert }) => group.alerts.map((each) => [each, alert] as const)),
  )
  return sent.flatMap((alert) => recorded.get(alert) ?? [])
}

/**
 * Groups alerts by fingerprint. The alerts of a group are the same alert sent several times; the first one is
 * used.
 */
function groupAlerts(sent: readonly ReceivedAlert[]): AlertsOfFingerprint[] {
  const groups = new Map<string | symbol, AlertsOfFingerprint>()
  for (const alert of sent) {
    const { fingerprint } = alert
    const key = fingerprint ?? Symbol('alone')
    const group = groups.get(key)
    if (group) group.alerts.push(alert)
    else groups.set(key, { fingerprint, first: alert, alerts: [alert] })
  }
  return [...groups.values()]
}

/** Returns what `pick` returns for each group, by fingerprint. */
function byFingerprint<Value>(
  groups: readonly AlertsOfFingerprint[],
  pick: (group: AlertsOfFingerprint) => Value,
): Map<string, Value> {
  return new Map(
    groups.flatMap((group) =>
      group.fingerprint === null ? [] : [[group.fingerprint, pick(group)] as const],
    ),
  )
}

/** Returns the groups for which a recorded alert was found, and those for which none was. */
function matchGroups(
  groups: readonly AlertsOfFingerprint[],
  { found, what }: { found: readonly RecordedAlertWithFingerprint[]; what: AlertOutcome },
): { happened: Happened[]; rest: AlertsOfFingerprint[] } {
  const alerts = new Map(found.map((alert) => [alert.fingerprint, alert]))
  const foundFor = ({ fingerprint }: AlertsOfFingerprint) =>
    fingerprint === null ? undefined : alerts.get(fingerprint)
  return {
    happened: groups.flatMap((group) => {
      const alert = foundFor(group)
      return alert ? [{ group, alert, what }] : []
    }),
    rest: groups.filter((group) => !foundFor(group)),
  }
}

async function recordEvents(
  uses: Uses,
  groups: readonly AlertsOfFingerprint[],
): Promise<Happened[]> {
  const { tx, project_id } = uses
  const events = byFingerprint(groups, ({ alerts }) => alerts.length)
  const found = await incrementAlertEvents(tx, project_id, events)
  const { happened, rest } = matchGroups(groups, { found, what: 'counted' })
  return [...happened, ...(await recordNew(uses, rest, 'triggered'))]
}

/** Records ended alerts that were not known before as resolved, each once. */
async function recordEnds(uses: Uses, groups: readonly AlertsOfFingerprint[]): Promise<Happened[]> {
  const { tx, project_id, now } = uses
  const ends = byFingerprint(groups, ({ first }) => first.ended_at ?? now)
  const open = await resolveAlerts(tx, { project_id, now, ends })
  const resolved = matchGroups(groups, { found: open, what: 'resolved' })
  const found = await listReportedBefore(uses, resolved.rest)
  const told = matchGroups(resolved.rest, { found, what: 'known' })
  const made = await recordNew(uses, told.rest, 'resolved')
  return [...resolved.happened, ...told.happened, ...made]
}

async function recordNew(
  { tx, project_id, now }: Uses,
  groups: readonly AlertsOfFingerprint[],
  what: AlertOutcome,
): Promise<Happened[]> {
  const made = await insertAlerts(tx, { project_id, now, groups })
  return groups.flatMap((group, at) => {
    const alert = made[at]
    return alert ? [{ group, alert, what }] : []
  })
}

/** Returns the alerts whose end was sent before: a tool that gets no response in time sends it again. */
async function listReportedBefore(
  { tx, project_id, now }: Uses,
  groups: readonly AlertsOfFingerprint[],
): Promise<RecordedAlertWithFingerprint[]> {
  const sent = byFingerprint(groups, ({ first }) => first)
  const ends = byFingerprint(groups, ({ first }) => first.ended_at ?? now)
  const rows = await listAlreadyResolvedAlerts(tx, project_id, ends)
  return rows.filter(({ fingerprint, started_at, ended_at }) => {
    const alert = sent.get(fingerprint ?? '')
    return alert?.started_at === started_at && alert.ended_at === ended_at
  })
}
