import { Type } from 'typebox'
import { administrators, anyone } from '../../../access/rule.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import {
  AllowedApplicationJson,
  ApplicationJson,
  NewApplicationJson,
  presentAllowedApplication,
  presentApplication,
} from './application.present.ts'
import {
  listOauthApplications,
  listOauthApplicationsAllowedByUser,
  revokeOauthApplicationAccess,
} from './application.store.ts'
import {
  applicationInput,
  createOauthApplication,
  removeOauthApplication,
  renewOauthApplicationSecret,
} from './register-application.ts'

const endpoint = endpointFactory({ tag: 'Applications' })

/** Applications of the instance. */
const instance = { owner_id: null }

export const applicationEndpoints = [
  endpoint({
    route: 'POST /applications',
    summary: 'Register an application that users may sign in to',
    allow: administrators,
    input: Type.Object({
      ...applicationInput,
      trusted: Type.Optional(
        Type.Boolean({ description: 'Users are not asked whether they allow it.' }),
      ),
    }),
    status: 201,
    answer: NewApplicationJson,
    async run(context) {
      const { trusted = false, ...given } = context.input
      const { application, secret } = await createOauthApplication(context, given, {
        ...instance,
        trusted,
        applications_max: limits.oauth.applications_max,
      })
      return { ...presentApplication(application), secret }
    },
  }),

  endpoint({
    route: 'GET /applications',
    summary: 'List the OAuth applications of the instance',
    allow: administrators,
    input: Type.Object(pageInput),
    answer: Type.Array(ApplicationJson),
    async run({ db, range }) {
      const { rows, total } = await listOauthApplications(db, instance, range)
      return new Page({ items: rows.map(presentApplication), total })
    },
  }),

  endpoint({
    route: 'POST /applications/:id/renew-secret',
    summary: 'Renew the secret of an application',
    allow: administrators,
    input: Type.Object({ id: Type.Integer() }),
    status: 201,
    answer: NewApplicationJson,
    async run(context) {
      const { id } = context.input
      const { application, secret } = await renewOauthApplicationSecret(context, {
        id,
        ...instance,
      })
      return { ...presentApplication(application), secret }
    },
  }),

  endpoint({
    route: 'DELETE /applications/:id',
    summary: 'Delete an application and its tokens',
    allow: administrators,
    input: Type.Object({ id: Type.Integer() }),
    status: 204,
    run: (context) => removeOauthApplication(context, { id: context.input.id, ...instance }),
  }),

  endpoint({
    route: 'GET /user/authorized_applications',
    summary: 'List the applications that you have authorized',
    allow: anyone,
    input: Type.Object(pageInput),
    answer: Type.Array(AllowedApplicationJson),
    async run({ db, user, range }) {
      const { rows, total } = await listOauthApplicationsAllowedByUser(db, user.id, range)
      return new Page({ items: rows.map(presentAllowedApplication), total })
    },
  }),

  endpoint({
    route: 'DELETE /user/authorized_applications/:id',
    summary: 'Revoke the authorization of an application',
    allow: anyone,
    input: Type.Object({ id: Type.Integer() }),
    status: 204,
    async run(context) {
      const { db, clock, user, input } = context
      const allowance = { application_id: input.id, user_id: user.id, now: timestamp(clock) }
      if (!(await revokeOauthApplicationAccess(db, allowance))) throw notFound('Application')
      await recordAuditEvent(context, {
        action: 'application_disallowed',
        entity: { kind: 'user', id: user.id },
        target: { kind: 'application', id: input.id, name: String(input.id) },
      })
    },
  }),
]
