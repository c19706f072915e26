import { type Static, Type } from 'typebox'
import { namedObject, nullable, nullableText, oneOf } from '../../../http/schema.ts'
import { issuableUrl } from '../../../subjects/issuable.ts'
import type { Project } from '../../../subjects/project.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import { alertSeverities, alertStatuses } from './alert.ts'
import type { AlertAssignee } from './alert-people.store.ts'
import { alertUrl } from './alert-url.ts'
import type { ListedAlert } from './list-alerts.ts'

export const ListedAlertJson = namedObject('ListedAlert', {
  iid: Type.Integer(),
  title: Type.String(),
  description: nullableText,
  status: oneOf(alertStatuses),
  severity: oneOf(alertSeverities),
  service: nullableText,
  monitoring_tool: nullableText,
  hosts: Type.Array(Type.String()),
  started_at: Type.String(),
  ended_at: nullableText,
  events: Type.Integer(),
  fingerprint: nullableText,
  environment: nullable(
    namedObject('AlertEnvironment', { id: Type.Integer(), name: Type.String() }),
  ),
  issue: nullable(
    namedObject('AlertIssue', {
      id: Type.Integer(),
      iid: Type.Integer(),
      state: Type.String(),
      web_url: Type.String(),
    }),
  ),
  assignees: Type.Array(BasicUserJson),
  created_at: Type.String(),
  updated_at: Type.String(),
  web_url: Type.String(),
})

/** A single alert also contains its payload. */
export const AlertJson = namedObject('Alert', {
  ...ListedAlertJson.properties,
  payload: Type.Object({}, { additionalProperties: true }),
})

export function presentAlert(
  row: ListedAlert,
  {
    assignees,
    project,
    baseUrl,
  }: { assignees: readonly AlertAssignee[]; project: Project; baseUrl: string },
): Static<typeof ListedAlertJson> {
  const { environment_id, environment_name, issue_id, issue_iid: iid, issue_state: state } = row
  return {
    iid: row.iid,
    title: row.title,
    description: row.description,
    status: alertStatuses[row.status],
    severity: alertSeverities[row.severity],
    service: row.service,
    monitoring_tool: row.monitoring_tool,
    hosts: row.hosts,
    started_at: row.started_at,
    ended_at: row.ended_at,
    events: Number(row.events),
    fingerprint: row.fingerprint,
    environment:
      environment_id === null || environment_name === null
        ? null
        : { id: environment_id, name: environment_name },
    issue:
      issue_id === null || iid === null || state === null
        ? null
        : {
            id: issue_id,
            iid,
            state,
            web_url: issuableUrl(baseUrl, project, { kind: 'issue', iid }),
          },
    assignees: assignees.map((user) => presentBasicUser(user, baseUrl)),
    created_at: row.created_at,
    updated_at: row.updated_at,
    web_url: alertUrl(baseUrl, project, row),
  }
}
