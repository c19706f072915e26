import { Type } from 'typebox'
import { administrators, anyone } from '../../../access/rule.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { optionalBoolean, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { type FieldErrors, invalid, notFound } from '../../../kernel/errors.ts'
import { digestToken, randomHex } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { type AuditSource, recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import {
  AllowedApplicationJson,
  ApplicationJson,
  NewApplicationJson,
  presentAllowedApplication,
  presentApplication,
} from './application.present.ts'
import {
  countApplications,
  deleteApplication,
  insertApplication,
  listAllowedApplications,
  listApplications,
  replaceSecret,
  revokeApplicationAccess,
} from './application.store.ts'
import type { Application } from './application.ts'
import { parseScopes } from './oauth-scopes.ts'
import { redirectUriProblems, splitUris } from './redirect-uri.ts'

const endpoint = endpointFactory({ tag: 'Applications' })
const secret_characters = 64

const problemsOf = (given: { name: string; redirect_uri: string; scopes: string }): FieldErrors => {
  const problems: FieldErrors = {}
  if (given.name.trim() === '') problems.name = ["can't be blank"]
  if (given.name.length > limits.name_characters) {
    problems.name = [`is too long (maximum is ${limits.name_characters} characters)`]
  }
  const uris = redirectUriProblems(given.redirect_uri)
  if (uris.length > 0) problems.redirect_uri = uris
  if (!parseScopes(given.scopes)) problems.scopes = ["doesn't match configured on the server."]
  return problems
}

async function recordEvent(
  source: AuditSource,
  action: 'application_created' | 'application_removed' | 'application_secret_renewed',
  { id, name, redirect_uri, scopes, confidential, trusted }: Application,
): Promise<void> {
  await recordAuditEvent(source, {
    action,
    entity: { kind: 'instance', id: 0 },
    target: { kind: 'application', id, name },
    details: { redirect_uri, scopes, confidential, trusted },
  })
}

export const applicationEndpoints = [
  endpoint({
    route: 'POST /applications',
    summary: 'Register an application that users may sign in to',
    allow: administrators,
    input: Type.Object({
      name: Type.String(),
      redirect_uri: Type.String({ description: 'One a line.' }),
      // One text with spaces between them, or a list.
      scopes: Type.Array(Type.String(), { notBlank: true }),
      confidential: optionalBoolean,
      trusted: Type.Optional(
        Type.Boolean({ description: 'Users are not asked whether they allow it.' }),
      ),
    }),
    status: 201,
    answer: NewApplicationJson,
    async run(context) {
      const { db, clock } = context
      const input = { ...context.input, scopes: context.input.scopes.join(' ') }
      const problems = problemsOf(input)
      if (Object.keys(problems).length > 0) throw invalid(problems)
      if ((await countApplications(db)) >= limits.oauth.applications_max) {
        throw invalid({ base: ['Too many applications'] })
      }
      const secret = randomHex(secret_characters)
      const application = await insertApplication(db, {
        uid: randomHex(64),
        secret_digest: digestToken(secret),
        name: input.name,
        redirect_uri: splitUris(input.redirect_uri).join('\n'),
        scopes: parseScopes(input.scopes) ?? [],
        confidential: input.confidential ?? true,
        trusted: input.trusted ?? false,
        created_at: timestamp(clock),
      })
      await recordEvent(context, 'application_created', application)
      return { ...presentApplication(application), secret }
    },
  }),

  endpoint({
    route: 'GET /applications',
    summary: 'List the applications users may sign in to',
    allow: administrators,
    input: Type.Object(pageInput),
    answer: Type.Array(ApplicationJson),
    async run({ db, range }) {
      const { rows, total } = await listApplications(db, range)
      return new Page({ items: rows.map(presentApplication), total })
    },
  }),

  endpoint({
    route: 'POST /applications/:id/renew-secret',
    summary: 'Make another secret of an application',
    allow: administrators,
    input: Type.Object({ id: Type.Integer() }),
    status: 201,
    answer: NewApplicationJson,
    async run(context) {
      const { db, input } = context
      const secret = randomHex(secret_characters)
      const application = await replaceSecret(db, input.id, digestToken(secret))
      if (!application) throw notFound('Application')
      await recordEvent(context, 'application_secret_renewed', application)
      return { ...presentApplication(application), secret }
    },
  }),

  endpoint({
    route: 'DELETE /applications/:id',
    summary: 'Remove an application with all tokens it was given',
    allow: administrators,
    input: Type.Object({ id: Type.Integer() }),
    status: 204,
    async run(context) {
      const application = await deleteApplication(context.db, context.input.id)
      if (!application) throw notFound('Application')
      await recordEvent(context, 'application_removed', application)
    },
  }),

  endpoint({
    route: 'GET /user/authorized_applications',
    summary: 'List the applications that act for you',
    allow: anyone,
    input: Type.Object(pageInput),
    answer: Type.Array(AllowedApplicationJson),
    async run({ db, user, range }) {
      const { rows, total } = await listAllowedApplications(db, user.id, range)
      return new Page({ items: rows.map(presentAllowedApplication), total })
    },
  }),

  endpoint({
    route: 'DELETE /user/authorized_applications/:id',
    summary: 'Let an application act for you no more',
    allow: anyone,
    input: Type.Object({ id: Type.Integer() }),
    status: 204,
    async run(context) {
      const { db, clock, user, input } = context
      const allowance = { application_id: input.id, user_id: user.id, now: timestamp(clock) }
      if (!(await revokeApplicationAccess(db, allowance))) throw notFound('Application')
      await recordAuditEvent(context, {
        action: 'application_disallowed',
        entity: { kind: 'user', id: user.id },
        target: { kind: 'application', id: input.id, name: String(input.id) },
      })
    },
  }),
]
