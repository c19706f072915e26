// What becomes of alerts that are sent: new ones, further events of those there are, and their end
// (docs/api/alerts.md, "What becomes of an alert").
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import {
  type AlertGroup,
  countEvents,
  insertAlerts,
  type KnownAlert,
  listResolved,
  lockAlerts,
  resolveAlerts,
} from './alert.store.ts'
import { askToFollow, type Happened as Followed } from './alert.tasks.ts'
import type { AlertSettings, RecordedAlert, SentAlert } from './alert.ts'

type Place = { project_id: number; settings: AlertSettings }
type Uses = { tx: Db; clock: Clock; project_id: number; now: string }
type Happened = Followed & { alert: KnownAlert }

/**
 * Puts alerts down in the caller's transaction, and asks for what follows. Answers each alert that is new or
 * was sent again once, by its number. It takes as many statements for many as for one.
 */
export async function recordAlerts(
  { tx, clock }: { tx: Db; clock: Clock },
  { project_id, settings }: Place,
  sent: readonly SentAlert[],
): Promise<RecordedAlert[]> {
  await lockAlerts(tx, project_id)
  const uses = { tx, clock, project_id, now: timestamp(clock) }
  const isOver = ({ ended_at }: SentAlert) => ended_at !== null
  // What is over goes first: an alert that ended and began anew is another one.
  const ended = await recordEnds(uses, groupAlerts(sent.filter(isOver)))
  const begun = await recordEvents(uses, groupAlerts(sent.filter((alert) => !isOver(alert))))
  const happened = [...ended, ...begun]
  await askToFollow(uses, settings, happened)
  return happened.map(({ alert }) => alert).toSorted((a, b) => a.iid - b.iid)
}

/** Alerts of one fingerprint are one that was sent several times, and the first says what it is. */
function groupAlerts(sent: readonly SentAlert[]): AlertGroup[] {
  const groups = new Map<string | symbol, AlertGroup>()
  for (const alert of sent) {
    const key = alert.fingerprint ?? Symbol('alone')
    const group = groups.get(key)
    if (group) group.events++
    else groups.set(key, { alert, events: 1 })
  }
  return [...groups.values()]
}

/** Of each group that has a fingerprint, by it, what `pick` says. */
function known<Value>(
  groups: readonly AlertGroup[],
  pick: (group: AlertGroup) => Value,
): Map<string, Value> {
  return new Map(
    groups.flatMap((group) => {
      const { fingerprint } = group.alert
      return fingerprint === null ? [] : [[fingerprint, pick(group)] as const]
    }),
  )
}

const without = (groups: readonly AlertGroup[], found: readonly KnownAlert[]) => {
  const fingerprints = new Set(found.map(({ fingerprint }) => fingerprint))
  return groups.filter(
    ({ alert }) => alert.fingerprint === null || !fingerprints.has(alert.fingerprint),
  )
}

async function recordEvents(uses: Uses, groups: readonly AlertGroup[]): Promise<Happened[]> {
  const { tx, project_id, now } = uses
  const counted = await countEvents(
    tx,
    project_id,
    known(groups, ({ events }) => events),
  )
  const made = await insertAlerts(tx, { project_id, now, groups: without(groups, counted) })
  return [
    ...counted.map((alert) => ({ alert, what: 'counted' as const })),
    ...made.map((alert) => ({ alert, what: 'triggered' as const })),
  ]
}

/** What was not known before it was over is recorded as resolved; what a tool says twice, once. */
async function recordEnds(uses: Uses, groups: readonly AlertGroup[]): Promise<Happened[]> {
  const { tx, project_id, now } = uses
  const ends = known(groups, ({ alert }) => alert.ended_at ?? now)
  const resolved = await resolveAlerts(tx, { project_id, now, ends })
  const others = without(groups, resolved)
  const before = await listToldBefore(uses, others)
  const made = await insertAlerts(tx, { project_id, now, groups: without(others, before) })
  return [
    ...before.map((alert) => ({ alert, what: 'known' as const })),
    ...[...resolved, ...made].map((alert) => ({ alert, what: 'resolved' as const })),
  ]
}

/** Those whose very end was sent before: a tool that was not answered in time sends it again. */
async function listToldBefore(
  { tx, project_id }: Uses,
  groups: readonly AlertGroup[],
): Promise<KnownAlert[]> {
  const sent = known(groups, ({ alert }) => alert)
  const ends = known(groups, ({ alert }) => alert.ended_at ?? '')
  const rows = await listResolved(tx, project_id, ends)
  const found = rows.filter(({ fingerprint, started_at, ended_at }) => {
    const alert = sent.get(fingerprint ?? '')
    return alert?.started_at === started_at && alert.ended_at === ended_at
  })
  return [...new Map(found.map((row) => [row.fingerprint, row])).values()]
}
