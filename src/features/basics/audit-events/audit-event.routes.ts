import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import { administrators, type Rule } from '../../../access/rule.ts'
import { Answer } from '../../../http/answer.ts'
import {
  type Context,
  type Endpoint,
  endpointFactory,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { keysetAnswer, Page } from '../../../http/pagination.ts'
import type { ParameterRule } from '../../../http/parameters.ts'
import { dateTime, oneOf, optionalInteger, pageInput, plainTextBody } from '../../../http/schema.ts'
import { keysetUnavailable, notFound } from '../../../kernel/errors.ts'
import { type Group, groupLoader } from '../../../subjects/group.ts'
import { type Project, projectLoader } from '../../../subjects/project.ts'
import { AuditEventJson, instanceScope, presentAuditEvent } from './audit-event.present.ts'
import {
  type AuditEventFilter,
  findAuditEvent,
  listAuditEvents,
  listAuditEventsBefore,
} from './audit-event.store.ts'
import { exportAuditEvents } from './audit-event-csv.ts'

const common = { tag: 'Audit events', tier: 'premium', signIn: 'always' } as const
const entityTypes = ['Project', 'User', 'Group', instanceScope.entity_type] as const
const idInput = { audit_event_id: Type.Integer() }
const filterInput = {
  author_id: optionalInteger,
  created_after: Type.Optional(dateTime()),
  created_before: Type.Optional(dateTime()),
}
const listInput = {
  ...filterInput,
  ...pageInput,
  pagination: Type.Optional(oneOf(['keyset', 'legacy'])),
  order_by: Type.Optional(oneOf(['id', 'created_at'])),
  sort: Type.Optional(oneOf(['asc', 'desc'])),
  id_before: optionalInteger,
}

type Filter = { author_id?: number; created_after?: string; created_before?: string }

type ListInput = Filter & {
  pagination?: 'keyset' | 'legacy'
  order_by?: 'id' | 'created_at'
  sort?: 'asc' | 'desc'
  id_before?: number
}

/** `entity_id` requires `entity_type`. */
const entityTypeWithId: ParameterRule = ({ entity_type, entity_id }) =>
  entity_id !== undefined && entity_type === undefined ? 'entity_type is missing' : undefined

async function list(
  context: Context<unknown, ListInput>,
  entity: Pick<AuditEventFilter, 'entity_type' | 'entity_id'>,
) {
  const { db, input, range } = context
  const { author_id, created_after, created_before } = input
  const { pagination, order_by, sort = 'desc', id_before } = input
  const wanted = { ...entity, author_id, created_after, created_before }
  if (pagination !== 'keyset') {
    const { rows, total } = await listAuditEvents(db, wanted, range)
    return new Page({ items: rows.map(presentAuditEvent), total })
  }
  if (order_by !== 'id' || sort !== 'desc') throw keysetUnavailable()
  const rows = await listAuditEventsBefore(db, wanted, { id_before, limit: range.per_page })
  return keysetAnswer(context, rows.map(presentAuditEvent), { id_before: rows.at(-1)?.id })
}

async function get(
  { db, input }: Context<unknown, { audit_event_id: number }>,
  entity: AuditEventFilter,
) {
  const found = await findAuditEvent(db, entity, input.audit_event_id)
  if (!found) throw notFound('Audit Event')
  return presentAuditEvent(found)
}

/** Answers with the events that match the filters, as a CSV file. */
async function exportCsv(
  { db, input, request }: Context<unknown, Filter>,
  entity: Pick<AuditEventFilter, 'entity_type' | 'entity_id'>,
) {
  const { author_id, created_after, created_before } = input
  const wanted = { ...entity, author_id, created_after, created_before }
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="audit_events.csv"',
  }
  if (request.method === 'HEAD') return Answer.raw(undefined, headers)
  return Answer.raw(Readable.from(exportAuditEvents(db, wanted), { objectMode: false }), headers)
}

function entityOf({ entity_type, entity_id }: { entity_type?: string; entity_id?: number }) {
  if (entity_type !== instanceScope.entity_type) return { entity_type, entity_id }
  return {
    entity_type: 'Instance',
    entity_id: entity_id === instanceScope.entity_id ? 0 : entity_id,
  }
}

function endpointsOf<Subject extends { id: number }>(
  base: '/groups/:id/audit_events' | '/projects/:id/audit_events',
  {
    on,
    allow,
    kind,
  }: { on: SubjectLoader<Subject>; allow: Rule<Subject>; kind: 'Group' | 'Project' },
): readonly Endpoint[] {
  const endpoint = endpointFactory({ ...common, on })
  const whose = `a ${kind.toLowerCase()}`
  return [
    endpoint({
      route: `GET ${base}`,
      summary: `List the audit events of ${whose}, the newest first`,
      allow,
      input: Type.Object(listInput),
      answer: Type.Array(AuditEventJson),
      run: (context) => list(context, { entity_type: kind, entity_id: context.subject.id }),
    }),

    endpoint({
      route: `GET ${base}/export`,
      summary: `Download the audit events of ${whose} as CSV, the newest first, 100,000 at most`,
      allow,
      input: Type.Object(filterInput),
      answer: plainTextBody('text/csv'),
      run: (context) => exportCsv(context, { entity_type: kind, entity_id: context.subject.id }),
    }),

    endpoint({
      route: `GET ${base}/:audit_event_id`,
      summary: `Get an audit event of ${whose}`,
      allow,
      input: Type.Object(idInput),
      answer: AuditEventJson,
      run: (context) => get(context, { entity_type: kind, entity_id: context.subject.id }),
    }),
  ]
}

const readOfGroup: Rule<Group> = ({ level }) => level >= Level.owner
const readOfProject: Rule<Project> = ({ level }) => level >= Level.maintainer

const endpoint = endpointFactory(common)

export const auditEventEndpoints: readonly Endpoint[] = [
  endpoint({
    route: 'GET /audit_events',
    summary: 'List the audit events of the instance, the newest first',
    allow: administrators,
    input: Type.Object({
      entity_type: Type.Optional(oneOf(entityTypes)),
      entity_id: optionalInteger,
      ...listInput,
    }),
    rules: [entityTypeWithId],
    answer: Type.Array(AuditEventJson),
    run: (context) => list(context, entityOf(context.input)),
  }),

  endpoint({
    route: 'GET /audit_events/export',
    summary: 'Download the audit events of the instance as CSV, the newest first, 100,000 at most',
    allow: administrators,
    input: Type.Object({
      entity_type: Type.Optional(oneOf(entityTypes)),
      entity_id: optionalInteger,
      ...filterInput,
    }),
    rules: [entityTypeWithId],
    answer: plainTextBody('text/csv'),
    run: (context) => exportCsv(context, entityOf(context.input)),
  }),

  endpoint({
    route: 'GET /audit_events/:audit_event_id(^\\d+$)',
    summary: 'Get an audit event of the instance',
    allow: administrators,
    input: Type.Object(idInput),
    answer: AuditEventJson,
    run: (context) => get(context, {}),
  }),

  ...endpointsOf('/groups/:id/audit_events', {
    on: groupLoader,
    allow: readOfGroup,
    kind: 'Group',
  }),
  ...endpointsOf('/projects/:id/audit_events', {
    on: projectLoader,
    allow: readOfProject,
    kind: 'Project',
  }),
]
