import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { endpointsWith } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import { getSelf } from '../../../subjects/user.ts'
import { presentSession, SessionJson } from './session.present.ts'
import { listSessions } from './session.store.ts'
import { endSession, passwordStamp } from './session.ts'

const endpoint = endpointsWith({ tag: 'Sessions' })

export const userSessionEndpoints = [
  endpoint({
    route: 'GET /user/sessions',
    summary: 'List where you are signed in',
    allow: anyone,
    input: Type.Object(pageInput),
    answer: Type.Array(SessionJson),
    async run(context) {
      const { db, clock, actor, range } = context
      const user = await getSelf(context)
      const current = {
        user_id: user.id,
        now: timestamp(clock),
        password_stamp: passwordStamp(user),
      }
      const { rows, total } = await listSessions(db, current, range)
      const items = rows.map((session) => presentSession(session, actor.session?.id))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: 'DELETE /user/sessions/:id(^\\d+$)',
    summary: 'Sign out somewhere else',
    allow: anyone,
    input: Type.Object({ id: Type.Integer() }),
    status: 204,
    async run({ db, user, input }) {
      const isDeleted = await endSession(db, { user_id: user.id, id: input.id })
      if (!isDeleted) throw recordNotFound()
    },
  }),
]
