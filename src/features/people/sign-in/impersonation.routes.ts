// Impersonation: administrators use the pages as another user (docs/api/users.md, "Impersonation").
import { Type } from 'typebox'
import type { Actor } from '../../../access/actor.ts'
import { administrators, anyone } from '../../../access/rule.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { forbidden, notFound, recordNotFound } from '../../../kernel/errors.ts'
import { findAccountProblem, findUser, type User } from '../../../subjects/user.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { endImpersonation, startImpersonation } from '../sessions/session.ts'
import { answerSignedIn, SignedInJson } from './session.routes.ts'

const endpoint = endpointFactory({ tag: 'Sessions' })

/** Returns why the user cannot be impersonated; undefined if they can. */
function findObstacle(
  user: User,
  by: { actor: Actor; id: number; now: string },
): string | undefined {
  if (!by.actor.session) return 'Users are impersonated in a browser'
  if (by.actor.administrator) return 'You are already impersonating a user'
  if (user.id === by.id) return 'You cannot impersonate yourself'
  if (user.user_type !== 'human') return 'You cannot impersonate a bot or an internal user'
  return findAccountProblem(user, by.now) && 'You cannot impersonate a user who cannot sign in'
}

export const impersonationEndpoints = [
  endpoint({
    route: 'POST /users/:id/impersonation',
    summary: 'Impersonate a user',
    allow: administrators,
    input: Type.Object({ id: Type.Integer() }),
    status: 201,
    answer: SignedInJson,
    async load({ db, input }) {
      const user = await findUser(db, input.id)
      if (!user) throw notFound('User')
      return user
    },
    authorize({ actor, clock, loaded, user }) {
      const obstacle = findObstacle(loaded, { actor, id: user.id, now: timestamp(clock) })
      return obstacle === undefined || forbidden(obstacle)
    },
    async run(context) {
      const { db, clock, config, actor, loaded: user, request, baseUrl } = context
      const now = timestamp(clock)
      const { cookie } = await startImpersonation(db, clock, user, {
        session_id: actor.session?.id ?? 0,
        ip: request.ip,
        user_agent: String(request.headers['user-agent'] ?? ''),
      })
      await recordAuditEvent(context, {
        action: 'impersonation_started',
        entity: { kind: 'user', id: user.id },
      })
      const impersonator = await findUser(db, context.user.id)
      const viewer = { db, baseUrl, config, now }
      return answerSignedIn(201, { user, impersonator }, cookie, viewer)
    },
  }),

  endpoint({
    route: 'DELETE /session/impersonation',
    summary: 'Stop impersonating a user',
    allow: anyone,
    answer: SignedInJson,
    authorize: ({ actor }) =>
      (actor.session !== undefined && actor.administrator !== undefined) ||
      forbidden('You are not impersonating a user'),
    async run(context) {
      const { db, clock, config, actor, request, baseUrl } = context
      const user = await findUser(db, actor.administrator?.id ?? 0)
      if (!user) throw recordNotFound()
      const session_id = actor.session?.impersonator_session_id ?? 0
      const { cookie } = await endImpersonation(db, clock, { session_id, ip: request.ip })
      await recordAuditEvent(
        { db, clock, request, actor: { user } },
        { action: 'impersonation_ended', entity: { kind: 'user', id: context.user.id } },
      )
      const viewer = { db, baseUrl, config, now: timestamp(clock) }
      return answerSignedIn(200, { user }, cookie, viewer)
    },
  }),
]
