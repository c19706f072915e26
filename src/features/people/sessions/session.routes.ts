import { Type } from 'typebox'
import { administrators, anyone } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import { findUser, type User } from '../../../subjects/user.ts'
import { userEndpointVariants } from '../../../subjects/user-endpoint-variants.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { presentSession, SessionJson } from './session.present.ts'
import { listSessions } from './session.store.ts'
import { passwordStampOf, removeSession } from './session.ts'

const endpoint = endpointFactory({ tag: 'Sessions' })

async function getRow(db: Db, id: number): Promise<User> {
  const user = await findUser(db, id)
  if (!user) throw recordNotFound()
  return user
}

export const userSessionEndpoints = userEndpointVariants.flatMap((side) => [
  endpoint({
    route: `GET ${side.prefix}/sessions`,
    summary: side.isOwn ? 'List where you are signed in' : 'List where a user is signed in',
    allow: side.writers,
    input: Type.Object({ ...side.input, ...pageInput }),
    answer: Type.Array(SessionJson),
    async run(context) {
      const { db, clock, actor, range } = context
      const user = await getRow(db, await side.userId(context))
      const current = {
        user_id: user.id,
        now: timestamp(clock),
        password_stamp: passwordStampOf(user),
      }
      const { rows, total } = await listSessions(db, current, range)
      const items = rows.map((session) => presentSession(session, actor.session?.id))
      return new Page({ items, total })
    },
  }),

  side.isOwn
    ? endpoint({
        route: 'DELETE /user/sessions/:id(^\\d+$)',
        summary: 'End another session',
        allow: anyone,
        input: Type.Object({ id: Type.Integer() }),
        status: 204,
        run: (context) => end(context, context.user.id, context.input.id),
      })
    : endpoint({
        route: `DELETE ${side.prefix}/sessions/:session_id(^\\d+$)`,
        summary: 'End a session of a user',
        allow: administrators,
        input: Type.Object({ ...side.input, session_id: Type.Integer() }),
        status: 204,
        async run(context) {
          const { session_id } = context.input
          const user_id = await side.userId(context)
          await end(context, user_id, session_id)
          await recordAuditEvent(context, {
            action: 'session_ended',
            entity: { kind: 'user', id: user_id },
            target: { kind: 'session', id: session_id, name: String(session_id) },
          })
        },
      }),
])

async function end({ db }: { db: Db }, user_id: number, id: number): Promise<void> {
  const isDeleted = await removeSession(db, { user_id, id })
  if (!isDeleted) throw recordNotFound()
}
