import { Type } from 'typebox'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { atLeastOneOf } from '../../../http/parameters.ts'
import {
  namedObject,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid, recordNotFound } from '../../../kernel/errors.ts'
import { type Project, projectLoader } from '../../../subjects/project.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { IssueJson, showIssues } from '../../planning/issues/show-issues.ts'
import { mayAdminAlerts, mayChangeAlerts, mayMakeIncidents, mayReadAlerts } from './alert.policy.ts'
import { AlertJson, ListedAlertJson, presentAlert } from './alert.present.ts'
import { type Alert, findAlert, lockAlert, lockAlerts } from './alert.store.ts'
import { alertSeverities, alertStatuses, readAlertSettings } from './alert.ts'
import { listAlertAssignees } from './alert-people.store.ts'
import { saveAlertSettings } from './alert-settings.store.ts'
import { changeAlertAssignees, changeAlertStatus } from './change-alert.ts'
import { createIncidentForAlert } from './incident.ts'
import { alertOrders, findListedAlertWithPayload, listAlerts } from './list-alerts.ts'

const endpoint = endpointFactory({ tag: 'Alerts', on: projectLoader, signIn: 'always' })
const url = '/projects/:id/alert_management_alerts' as const
const settingsUrl = '/projects/:id/alert_management/settings' as const
const iidInput = { alert_iid: Type.Integer() }

const SettingsJson = namedObject('AlertSettings', {
  create_issue: Type.Boolean(),
  send_email: Type.Boolean(),
  auto_close_incident: Type.Boolean(),
})

type AlertContext = Context<Project, { alert_iid: number }>

/**
 * Returns the alert and locks it. The alerts of the project are locked first, in the same order as when
 * alerts are received.
 */
async function getLocked({ db, subject: project, input }: AlertContext): Promise<Alert> {
  await lockAlerts(db, project.id)
  const found = await findAlert(db, { project_id: project.id, iid: input.alert_iid })
  const alert = found && (await lockAlert(db, found.id))
  if (!alert) throw recordNotFound()
  return alert
}

async function show({ db, subject: project, input, baseUrl }: AlertContext) {
  const row = await findListedAlertWithPayload(db, project.id, input.alert_iid)
  if (!row) throw recordNotFound()
  const assignees = (await listAlertAssignees(db, [row.id])).get(row.id) ?? []
  return {
    ...presentAlert(row, { assignees, project, baseUrl }),
    payload: JSON.parse(row.payload),
  }
}

export const alertEndpoints = [
  endpoint({
    route: `GET ${url}`,
    summary: 'List the alerts of a project',
    allow: mayReadAlerts,
    input: Type.Object({
      ...pageInput,
      status: Type.Optional(Type.Array(oneOf(alertStatuses))),
      severity: Type.Optional(Type.Array(oneOf(alertSeverities))),
      search: optionalText,
      assignee_username: optionalText,
      order_by: Type.Optional(oneOf(alertOrders, { default: 'started_at' })),
      sort: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
    }),
    answer: Type.Array(ListedAlertJson),
    async run({ db, subject: project, range, input, baseUrl }) {
      const { order_by = 'started_at', sort = 'desc', ...filter } = input
      const asked = { project_id: project.id, filter, order: { by: order_by, sort } }
      const { rows, total } = await listAlerts(db, asked, range)
      const people = await listAlertAssignees(
        db,
        rows.map(({ id }) => id),
      )
      const items = rows.map((row) =>
        presentAlert(row, { assignees: people.get(row.id) ?? [], project, baseUrl }),
      )
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: `GET ${url}/:alert_iid`,
    summary: 'Get an alert with its payload',
    allow: mayReadAlerts,
    input: Type.Object(iidInput),
    answer: AlertJson,
    run: show,
  }),

  endpoint({
    route: `PUT ${url}/:alert_iid`,
    summary: 'Update the status or the assignees of an alert',
    allow: mayChangeAlerts,
    input: Type.Object({
      ...iidInput,
      status: Type.Optional(oneOf(alertStatuses)),
      assignee_ids: Type.Optional(Type.Array(Type.Integer())),
    }),
    rules: [atLeastOneOf('status', 'assignee_ids')],
    answer: AlertJson,
    async run(context) {
      const { db: tx, clock, config, subject: project, user, input } = context
      const { status, assignee_ids: ids } = input
      const alert = await getLocked(context)
      const uses = { tx, clock, config, user_id: user.id }
      if (status) await changeAlertStatus(uses, { alert, status })
      if (ids) await changeAlertAssignees(uses, { alert, project, ids })
      return show(context)
    },
  }),

  endpoint({
    route: `POST ${url}/:alert_iid/issue`,
    summary: 'Create an incident for an alert',
    allow: mayMakeIncidents,
    input: Type.Object(iidInput),
    status: 201,
    answer: IssueJson,
    async run(context) {
      const { db: tx, clock, config, subject: project, level, actor, baseUrl } = context
      const alert = await getLocked(context)
      if (alert.issue_id !== null) throw invalid('An issue already exists')
      const uses = { tx, clock, config, baseUrl }
      const issue = await createIncidentForAlert(uses, { project, level, actor }, alert)
      const [shown] = await showIssues(context, [issue])
      return shown
    },
  }),

  endpoint({
    route: `GET ${settingsUrl}`,
    summary: 'Get the alert settings of a project',
    allow: mayAdminAlerts,
    answer: SettingsJson,
    run: ({ db, subject: project }) => readAlertSettings(db, project.id),
  }),

  endpoint({
    route: `PUT ${settingsUrl}`,
    summary: 'Update the alert settings of a project',
    allow: mayAdminAlerts,
    input: Type.Object({
      create_issue: optionalBoolean,
      send_email: optionalBoolean,
      auto_close_incident: optionalBoolean,
    }),
    rules: [atLeastOneOf('create_issue', 'send_email', 'auto_close_incident')],
    answer: SettingsJson,
    async run(context) {
      const { db, clock, subject: project, input } = context
      const settings = { ...(await readAlertSettings(db, project.id)), ...input }
      await saveAlertSettings(db, project.id, { settings, now: timestamp(clock) })
      await recordAuditEvent(context, {
        action: 'alert_settings_changed',
        entity: { kind: 'project', id: project.id },
        details: input,
      })
      return settings
    },
  }),
]
