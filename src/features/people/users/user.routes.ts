import { type Static, Type } from 'typebox'
import { isAdmin } from '../../../access/actor.ts'
import { administrators, anyone } from '../../../access/rule.ts'
import type { Tier } from '../../../config.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { allOrNoneOf } from '../../../http/parameters.ts'
import {
  date,
  dateTime,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { forbidden, tooManyRequests, unauthorized } from '../../../kernel/errors.ts'
import { BasicUserJson, getUser, presentBasicUser } from '../../../subjects/user.ts'
import { abilitiesSchemaField, resolveAbilities, withAbilitiesInput } from '../../abilities.ts'
import {
  addCustomAttributesToRecords,
  customAttributeFilterInput,
  parseCustomAttributeFilter,
  withCustomAttributesInput,
} from '../../basics/custom-attributes/custom-attribute.ts'
import { listLastUserActivities, listUsers, type UserFilter, userOrders } from './list-users.ts'
import {
  SignedInUserJson,
  showSignedInUser,
  showUsersToAdministrator,
  showUserToAdministrator,
} from './show-user.ts'
import { AdminUserJson, presentUser, UserJson } from './user.present.ts'

const endpoint = endpointFactory({ tag: 'Users', scope: 'read_user' })

const tooManyText = 'This endpoint has been requested too many times. Try again later.'

const ListInput = Type.Object({
  username: optionalText,
  extern_uid: optionalText,
  provider: optionalText,
  search: optionalText,
  active: optionalBoolean,
  external: optionalBoolean,
  exclude_external: optionalBoolean,
  blocked: optionalBoolean,
  blocked_pending_approval: optionalBoolean,
  created_after: Type.Optional(dateTime()),
  created_before: Type.Optional(dateTime()),
  without_projects: Type.Optional(Type.Boolean({ default: false })),
  exclude_internal: Type.Optional(Type.Boolean({ default: false })),
  admins: Type.Optional(Type.Boolean({ default: false })),
  two_factor: Type.Optional(Type.String({ description: 'Administrators: enabled or disabled.' })),
  saml_provider_id: Type.Optional(Type.Integer()),
  ...customAttributeFilterInput,
  ...withCustomAttributesInput,
  order_by: Type.Optional(oneOf(userOrders, { default: 'id' })),
  sort: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
  ...pageInput,
})

/** Returns the filters that the caller may use and drops the others (docs/api/users.md, "List"). */
function filterOf(
  { order_by: _by, sort: _sort, ...input }: Static<typeof ListInput>,
  { seesAll, tier }: { seesAll: boolean; tier: Tier },
): UserFilter {
  const { username, search, active, blocked, external, exclude_external, exclude_internal } = input
  const forEverybody = {
    username,
    search,
    active,
    blocked,
    external,
    exclude_external,
    exclude_internal,
    saml_provider_id: tier === 'free' ? undefined : input.saml_provider_id,
    searchesAllEmails: seesAll,
  }
  if (!seesAll) return forEverybody
  const { extern_uid, provider, created_after, created_before, without_projects, admins } = input
  const { blocked_pending_approval } = input
  const identity =
    extern_uid !== undefined && provider !== undefined ? { extern_uid, provider } : undefined
  // Other values are ignored.
  const two_factor = (['enabled', 'disabled'] as const).find((name) => name === input.two_factor)
  const forAdministrators = {
    blocked_pending_approval,
    created_after,
    created_before,
    without_projects,
    admins,
    two_factor,
    identity,
  }
  return { ...forEverybody, ...forAdministrators }
}

/** Returns the same day six months earlier, or the last day of that month. */
function sixMonthsBefore(day: string): string {
  const date = new Date(`${day.slice(0, 7)}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() - 5, 0)
  date.setUTCDate(Math.min(Number(day.slice(8)), date.getUTCDate()))
  return date.toISOString().slice(0, 10)
}

export const userEndpoints = [
  endpoint({
    route: 'GET /user',
    summary: 'Get the signed-in user',
    allow: anyone,
    input: Type.Object(withAbilitiesInput),
    answer: Type.Intersect([SignedInUserJson, Type.Object(abilitiesSchemaField('user'))]),
    async run(context) {
      const shown = await showSignedInUser(context, await getUser(context.db, context.user.id))
      if (!context.input.with_abilities) return shown
      return { ...shown, ...(await resolveAbilities(context, 'user')) }
    },
  }),

  endpoint({
    route: 'GET /user/activities',
    summary: 'List the last activity of users',
    allow: administrators,
    input: Type.Object({
      ...pageInput,
      from: Type.Optional(date({ description: 'Six months ago, unless it is given.' })),
    }),
    answer: Type.Array(
      Type.Object({
        username: Type.String(),
        last_activity_on: Type.String(),
        last_activity_at: Type.String({ description: 'The same; for older clients.' }),
      }),
    ),
    async run(context) {
      const { db, clock, input, range } = context
      const from = input.from ?? sixMonthsBefore(today(clock))
      const { rows, total } = await listLastUserActivities(db, { from }, range)
      const items = rows.map((row) => ({ ...row, last_activity_at: row.last_activity_on }))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: 'GET /users',
    summary: 'List users',
    signIn: 'never',
    allow: anyone,
    input: ListInput,
    rules: [allOrNoneOf('extern_uid', 'provider')],
    answer: Type.Array(Type.Union([AdminUserJson, BasicUserJson])),
    authorize({ actor, input }) {
      if (input.extern_uid !== undefined && !isAdmin(actor)) {
        return actor.user ? forbidden() : unauthorized()
      }
      const isKnown = actor.user !== undefined || Boolean(input.username)
      return isKnown || forbidden('Not authorized to access /api/v4/users')
    },
    async run(context) {
      const { db, actor, input, baseUrl, config } = context
      const { order_by: by = 'id', sort = 'desc' } = input
      const seesAll = isAdmin(actor)
      const { range } = context
      const filter = {
        ...filterOf(input, { seesAll, tier: config.tier }),
        attributes: parseCustomAttributeFilter(actor, input),
      }
      const order = seesAll ? { by, sort } : undefined
      const { rows, total } = await listUsers(db, { filter, order }, range)
      const items = seesAll
        ? await addCustomAttributesToRecords(context, 'user', {
            items: await showUsersToAdministrator(context, rows),
            isWanted: input.with_custom_attributes,
          })
        : rows.map((user) => presentBasicUser(user, baseUrl))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: 'GET /users/:id(^\\d+$)',
    summary: 'Get a user',
    signIn: 'never',
    allow: anyone,
    input: Type.Object({ id: Type.Integer(), ...withCustomAttributesInput }),
    answer: Type.Union([AdminUserJson, UserJson]),
    authorize: ({ actor }) => actor.user !== undefined || forbidden('Not authorized!'),
    async run(context) {
      const { db, actor, user: caller, input, baseUrl, rateLimiter } = context
      if (!isAdmin(actor)) {
        const verdict = rateLimiter.count('users_get_by_id', String(caller.id))
        if (verdict) throw tooManyRequests(tooManyText, verdict.headers)
      }
      const user = await getUser(db, input.id)
      if (isAdmin(actor)) {
        const items = [await showUserToAdministrator(context, user)]
        const isWanted = input.with_custom_attributes
        return (await addCustomAttributesToRecords(context, 'user', { items, isWanted }))[0]
      }
      return presentUser(user, { baseUrl, seesPrivate: caller.id === user.id })
    },
  }),
]
