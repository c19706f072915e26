// The incident of an alert, which is created from it and closed with it (docs/api/alerts.md, "Incidents").
import type { Actor } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Tier } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { isRecord } from '../../../kernel/record.ts'
import { findIssuable, type Issuable, mayReadIssues } from '../../../subjects/issuable.ts'
import { isUnarchived, type Project } from '../../../subjects/project.ts'
import { actorUserFromUser } from '../../../subjects/user.ts'
import { ensureInternalUser } from '../../people/users/internal-user.ts'
import { changeIssuable, createIssuable } from '../../planning/issuables/change-issuable.ts'
import { insertSystemNotes } from '../../planning/issuables/issuable.ts'
import { type Alert, lockAlert, updateAlert } from './alert.store.ts'
import { alertSeverities, alertStatuses } from './alert.ts'
import { alertUrl } from './alert-url.ts'
import { prometheusQueryOf } from './parse-alertmanager-payload.ts'
import { scalarToTruncatedText } from './payload.ts'

type Uses = { tx: Db; clock: Clock; config: { tier: Tier }; baseUrl: string }
type Place = { project: Project; level: number; actor: Actor }

/** Returns the bot that opens and closes incidents, with the rights of a Reporter. */
async function asTheBot({ tx, clock }: Uses, project: Project): Promise<Place> {
  const user = actorUserFromUser(await ensureInternalUser(tx, clock, 'alert_bot'))
  return { project, level: Level.reporter, actor: { user, token: undefined } }
}

/** Creates an incident for an open alert that has none. Safe to repeat. */
export async function createIncidentIfMissing(
  uses: Uses,
  project: Project,
  alert_id: number,
): Promise<void> {
  const alert = await lockAlert(uses.tx, alert_id)
  if (!alert || alert.issue_id !== null || alertStatuses[alert.status] === 'resolved') return
  const place = await asTheBot(uses, project)
  const facts = { subject: project, level: place.level, actor: place.actor }
  if (!isUnarchived(project) || !mayReadIssues(facts)) return
  await createIncidentForAlert(uses, place, alert)
}

/** Creates an incident for an alert, with the caller as its author, and links the alert to it. */
export async function createIncidentForAlert(
  { tx, clock, config, baseUrl }: Uses,
  { project, level, actor }: Place,
  alert: Alert,
): Promise<Issuable> {
  const issue = await createIssuable(
    { db: tx, clock, actor, config, baseUrl },
    {
      project,
      kind: 'issue',
      level,
      isOfTool: true,
      fields: {
        title: alert.title,
        description: describe(alert, alertUrl(baseUrl, project, alert)),
        issue_type: 'incident',
        labels: ['incident'],
      },
    },
  )
  await updateAlert(tx, alert.id, { issue_id: issue.id, updated_at: timestamp(clock) })
  return issue
}

/** Closes the incident of a resolved alert with a note about the reason. Safe to repeat. */
export async function closeIncidentOfAlert(
  uses: Uses,
  project: Project,
  alert: Alert,
): Promise<void> {
  const { tx, clock, config, baseUrl } = uses
  if (alert.issue_id === null || alertStatuses[alert.status] !== 'resolved') return
  const { actor, level } = await asTheBot(uses, project)
  const found = await findIssuable(tx, actor, { id: alert.issue_id })
  // An incident that was moved to another project is not closed.
  if (found?.issuable.state !== 'opened' || found.issuable.project_id !== project.id) return
  const subject = { ...project, ...found }
  const fields = { state_event: 'close' as const }
  await changeIssuable({ db: tx, clock, actor, config, baseUrl }, { subject, level, fields })
  await insertSystemNotes(tx, clock, {
    issuable: found.issuable,
    author_id: actor.user?.id ?? 0,
    bodies: ['automatically closed this incident because the alert resolved.'],
  })
}

const fact_characters_max = 2000

/**
 * Returns the details of the alert as Markdown. Its texts come from a tool, so they are formatted as code: they trigger
 * no actions and mention nobody.
 */
function describe(alert: Alert, url: string): string {
  const payload: unknown = JSON.parse(alert.payload)
  const annotations = isRecord(payload) && isRecord(payload.annotations) ? payload.annotations : {}
  const facts = {
    'Start time': alert.started_at,
    Severity: alertSeverities[alert.severity],
    Service: alert.service,
    'Monitoring tool': alert.monitoring_tool,
    Hosts: alert.hosts.join(', '),
    Query: scalarToTruncatedText(
      isRecord(payload) ? prometheusQueryOf(payload) : undefined,
      fact_characters_max,
    ),
    Runbook: scalarToTruncatedText(annotations.runbook, fact_characters_max),
  }
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    value ? [`**${name}:** ${inlineCode(value)}`] : [],
  )
  const quoted = (alert.description ?? '')
    .split(/\r\n?|\n/)
    .map((line) => (line.trim() === '' ? '>' : `> ${inlineCode(line)}`))
  const parts = [...lines, ...(alert.description === null ? [] : [quoted.join('\n')])]
  return [...parts, `**Alert:** ${url}`].join('\n\n')
}

/** Formats a text as inline code; characters that would end it are removed. */
function inlineCode(text: string): string {
  return `\`${text.replace(/[`\r\n]/g, ' ')}\``
}
