import { Type } from 'typebox'
import { isAdmin } from '../../access/actor.ts'
import { administrators, anyone } from '../../access/rule.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pagedAnswer, pageRange } from '../../http/pagination.ts'
import { atLeastOneOf } from '../../http/parameters.ts'
import { optionalBoolean, optionalInteger, optionalText, pageInput } from '../../http/schema.ts'
import { timestamp } from '../../kernel/clock.ts'
import { forbidden, invalid, notFound } from '../../kernel/errors.ts'
import { randomText } from '../../kernel/ids.ts'
import { hashPassword } from '../../kernel/secrets.ts'
import { createUser, passwordProblems } from './create-user.ts'
import { presentSignedInUser, SignedInUserJson } from './show-user.ts'
import { AdminUserJson, presentAdminUser, presentUser, UserJson } from './user.present.ts'
import { listUsers } from './user.store.ts'
import { BasicUserJson, findUser, presentBasicUser, type User } from './user.ts'

const tag = 'Users'

async function getUser(db: Parameters<typeof findUser>[0], id: number): Promise<User> {
  const user = await findUser(db, id)
  if (!user) throw notFound('User')
  return user
}

export const userEndpoints = [
  endpoint({
    route: 'GET /user',
    summary: 'Get the signed-in user',
    tag,
    scope: 'read_user',
    allow: anyone,
    answer: { 200: SignedInUserJson },
    async run({ db, user: { id }, baseUrl, config }) {
      const user = await getUser(db, id)
      const isPaidTier = config.tier !== 'free'
      return presentSignedInUser(user, { baseUrl, isPaidTier })
    },
  }),

  endpoint({
    route: 'GET /users',
    summary: 'List users',
    tag,
    scope: 'read_user',
    signIn: 'never',
    allow: anyone,
    input: Type.Object({
      ...pageInput,
      search: optionalText,
      username: optionalText,
      active: optionalBoolean,
      blocked: optionalBoolean,
      external: optionalBoolean,
      exclude_external: optionalBoolean,
      exclude_internal: optionalBoolean,
      two_factor: Type.Optional(
        Type.String({ description: 'Administrators: enabled or disabled.' }),
      ),
    }),
    answer: { 200: Type.Array(Type.Union([AdminUserJson, BasicUserJson])) },
    async run(context) {
      const { db, actor, input, baseUrl, config } = context
      if (!actor.user && !input.username) {
        throw forbidden('Not authorized to access /api/v4/users')
      }
      const range = pageRange(input)
      const seesAll = isAdmin(actor)
      const { rows, total } = await listUsers(
        db,
        {
          ...input,
          two_factor: seesAll ? input.two_factor : undefined,
          searchesAllEmails: seesAll,
        },
        range,
      )
      const isPaidTier = config.tier !== 'free'
      const items = rows.map((user) =>
        seesAll ? presentAdminUser(user, { baseUrl, isPaidTier }) : presentBasicUser(user, baseUrl),
      )
      return pagedAnswer(context, range, { items, total })
    },
  }),

  endpoint({
    route: 'GET /users/:id(^\\d+$)',
    summary: 'Get a user',
    tag,
    scope: 'read_user',
    signIn: 'never',
    allow: anyone,
    input: Type.Object({ id: Type.Integer() }),
    answer: { 200: Type.Union([AdminUserJson, UserJson]) },
    async run({ db, actor, input, baseUrl, config }) {
      if (!actor.user) throw forbidden('Not authorized!')
      const user = await getUser(db, input.id)
      const isPaidTier = config.tier !== 'free'
      if (isAdmin(actor)) return presentAdminUser(user, { baseUrl, isPaidTier })
      return presentUser(user, { baseUrl, seesPrivate: actor.user.id === user.id })
    },
  }),

  endpoint({
    route: 'POST /users',
    summary: 'Create a user',
    tag,
    allow: administrators,
    // The password is hashed before, so that no writer waits for it.
    transaction: 'none',
    input: Type.Object({
      email: Type.String(),
      name: Type.String(),
      username: Type.String(),
      password: optionalText,
      reset_password: optionalBoolean,
      force_random_password: optionalBoolean,
      skip_confirmation: optionalBoolean,
      admin: optionalBoolean,
      external: optionalBoolean,
      private_profile: optionalBoolean,
      can_create_group: optionalBoolean,
      projects_limit: optionalInteger,
      bio: optionalText,
      location: optionalText,
      skype: optionalText,
      linkedin: optionalText,
      twitter: optionalText,
      website_url: optionalText,
      organization: optionalText,
      note: optionalText,
      theme_id: optionalInteger,
      color_scheme_id: optionalInteger,
      view_diffs_file_by_file: optionalBoolean,
    }),
    rules: [atLeastOneOf('password', 'reset_password', 'force_random_password')],
    answer: { 201: AdminUserJson },
    async run({ db, clock, input, baseUrl, config }) {
      const {
        password: given,
        reset_password,
        force_random_password,
        skip_confirmation: _,
        admin,
        external = false,
        ...fields
      } = input
      const isRandom = reset_password || force_random_password
      const password = isRandom ? randomText(40) : (given ?? '')
      if (password === '') throw invalid({ password: ["can't be blank"] })
      const problems = passwordProblems(password)
      if (problems.length > 0) throw invalid({ password: problems })
      const password_digest = await hashPassword(password)
      const user = await db.transaction().execute((tx) =>
        createUser(tx, clock, {
          ...fields,
          // An external user has no projects or groups of their own unless told otherwise.
          ...(external ? { can_create_group: false, projects_limit: 0 } : {}),
          external,
          is_admin: admin ?? false,
          password_digest,
          // Addresses are not confirmed by mail, so every account can be used at once.
          confirmed_at: timestamp(clock),
        }),
      )
      return presentAdminUser(user, { baseUrl, isPaidTier: config.tier !== 'free' })
    },
  }),
]
