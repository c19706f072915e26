import { type Static, Type } from 'typebox'
import { isAdmin } from '../../../access/actor.ts'
import { administrators, anyone } from '../../../access/rule.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { namedObject, oneOf, pageInput } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import { findUser } from '../../../subjects/user.ts'
import {
  countAuthoredIssuables,
  countDirectMembershipsOfUser,
  listDirectMembershipsOfUser,
  type Membership,
} from './membership.store.ts'

const MembershipJson = namedObject('Membership', {
  source_id: Type.Integer(),
  source_name: Type.String(),
  source_type: oneOf(['Project', 'Namespace']),
  access_level: Type.Integer(),
})

function presentMembership(row: Membership): Static<typeof MembershipJson> {
  return {
    source_id: row.project_id ?? row.namespace_id ?? 0,
    source_name: row.project_name ?? row.namespace_name ?? '',
    source_type: row.project_id === null ? 'Namespace' : 'Project',
    access_level: row.access_level,
  }
}

const endpoint = endpointFactory({ tag: 'Members', scope: 'read_user' })

export const membershipEndpoints = [
  endpoint({
    route: 'GET /users/:user_id(^\\d+$)/memberships',
    summary: 'List the memberships of a user',
    allow: administrators,
    input: Type.Object({
      user_id: Type.Integer(),
      ...pageInput,
      type: Type.Optional(oneOf(['Project', 'Namespace'])),
    }),
    answer: Type.Array(MembershipJson),
    async run(context) {
      const { db, input } = context
      if (!(await findUser(db, input.user_id))) throw notFound('User')
      const { range } = context
      const { rows, total } = await listDirectMembershipsOfUser(db, input, range)
      return new Page({ items: rows.map(presentMembership), total })
    },
  }),

  endpoint({
    route: 'GET /users/:id(^\\d+$)/associations_count',
    summary: 'Count the memberships, issues and merge requests of a user',
    allow: anyone,
    input: Type.Object({ id: Type.Integer() }),
    answer: Type.Object({
      groups_count: Type.Integer(),
      projects_count: Type.Integer(),
      issues_count: Type.Integer(),
      merge_requests_count: Type.Integer(),
    }),
    async load({ db, input }) {
      const user = await findUser(db, input.id)
      if (!user) throw notFound('User')
      return user
    },
    authorize: ({ actor, user: caller, loaded: user }) => isAdmin(actor) || caller.id === user.id,
    async run({ db, loaded: user }) {
      return {
        ...(await countDirectMembershipsOfUser(db, user.id)),
        ...(await countAuthoredIssuables(db, user.id)),
      }
    },
  }),
]
