import { Type } from 'typebox'
import { type Actor, isAdmin, type TokenScope, tokenScopes } from '../../../access/actor.ts'
import { administrators, anyone } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { type Context, endpointFactory, type Permission } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  date,
  dateTime,
  nullable,
  oneOf,
  optionalBoolean,
  optionalInteger,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import {
  badRequest,
  invalid,
  notFound,
  recordNotFound,
  unauthorized,
  unprocessable,
} from '../../../kernel/errors.ts'
import { findUser } from '../../../subjects/user.ts'
import type { AuditSource } from '../../basics/audit-events/audit-event.ts'
import { checkNewTokenAgainstParent, parentTokenProblems } from './parent-token.ts'
import { rotatePersonalToken } from './rotate-token.ts'
import { findPersonalToken, listPersonalTokens } from './token.store.ts'
import {
  insertPersonalToken,
  isOwnPersonalToken,
  type PersonalAccessToken,
  recordTokenAuditEvent,
  revokePersonalToken,
} from './token.ts'
import { NewTokenJson, presentToken, TokenJson } from './token-record.ts'

const endpoint = endpointFactory({ tag: 'Personal access tokens' })

const newTokenInput = {
  name: Type.String(),
  scopes: Type.Array(oneOf(tokenScopes)),
  expires_at: Type.Optional(nullable(date())),
}

async function createToken(
  context: AuditSource & { actor: Actor },
  token: { user_id: number; name: string; scopes: TokenScope[]; expires_at?: string | null },
) {
  const { db, clock, actor } = context
  const { expires_at = null } = token
  if (token.name.trim() === '') throw unprocessable("Name can't be blank")
  if (token.scopes.length === 0) throw unprocessable("Scopes can't be blank")
  if (expires_at !== null && expires_at < today(clock)) {
    throw unprocessable('Expiration date cannot be in the past')
  }
  const scopes = [...new Set(token.scopes)]
  const inherited = await checkNewTokenAgainstParent(db, actor, { scopes, expires_at })
  if ('excess' in inherited) throw unprocessable(parentTokenProblems[inherited.excess])
  const created = await insertPersonalToken(db, clock, { ...token, scopes, ...inherited })
  await recordTokenAuditEvent(context, 'token_created', created.token)
  return { ...presentToken(created.token, today(clock)), token: created.text }
}

/** Loads a token. For a missing one throws 404 for administrators, and 401 for others, as for a hidden one. */
async function loadToken({
  db,
  actor,
  input,
}: Context<unknown, { id: number }>): Promise<PersonalAccessToken> {
  const token = await findPersonalToken(db, input.id)
  if (!token) throw isAdmin(actor) ? recordNotFound() : unauthorized()
  return token
}

/** Users may see their own tokens; administrators may see all tokens. */
function maySeeToken({
  actor,
  loaded: token,
}: {
  actor: Actor
  loaded: PersonalAccessToken
}): Permission {
  return isAdmin(actor) || isOwnPersonalToken(token, actor) || unauthorized()
}

async function getOwnToken(db: Db, actor: Actor): Promise<PersonalAccessToken> {
  const isOauth = actor.token?.kind === 'oauth'
  const token = actor.token && !isOauth && (await findPersonalToken(db, actor.token.id))
  if (!token) throw badRequest()
  return token
}

const rotationInput = { expires_at: Type.Optional(nullable(date())) }

async function rotate(
  context: Parameters<typeof rotatePersonalToken>[0],
  token: PersonalAccessToken,
  input: { expires_at?: string | null },
) {
  const { token: made, text } = await rotatePersonalToken(context, token, input)
  return { ...presentToken(made, today(context.clock)), token: text }
}

export const tokenEndpoints = [
  endpoint({
    route: 'GET /personal_access_tokens',
    summary: 'List personal access tokens',
    allow: anyone,
    input: Type.Object({
      ...pageInput,
      user_id: optionalInteger,
      state: Type.Optional(oneOf(['active', 'inactive'])),
      revoked: optionalBoolean,
      search: optionalText,
      created_after: Type.Optional(dateTime()),
      created_before: Type.Optional(dateTime()),
      last_used_after: Type.Optional(dateTime()),
      last_used_before: Type.Optional(dateTime()),
    }),
    answer: Type.Array(TokenJson),
    authorize: ({ actor, user, input }) =>
      isAdmin(actor) || (input.user_id ?? user.id) === user.id || unauthorized(),
    async run(context) {
      const { db, actor, user, input, clock } = context
      const user_id = isAdmin(actor) ? input.user_id : user.id
      const { range } = context
      const filter = { ...input, user_id, impersonation: false, today: today(clock) }
      const { rows, total } = await listPersonalTokens(db, filter, range)
      const items = rows.map((token) => presentToken(token, today(clock)))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: 'GET /personal_access_tokens/self',
    summary: 'Get the token of this request',
    scope: 'any',
    allow: anyone,
    answer: TokenJson,
    async run({ db, actor, clock }) {
      return presentToken(await getOwnToken(db, actor), today(clock))
    },
  }),

  endpoint({
    route: 'GET /personal_access_tokens/:id(^\\d+$)',
    summary: 'Get a personal access token',
    allow: anyone,
    input: Type.Object({ id: Type.Integer() }),
    answer: TokenJson,
    load: loadToken,
    authorize: maySeeToken,
    run: async ({ clock, loaded: token }) => presentToken(token, today(clock)),
  }),

  endpoint({
    route: 'POST /user/personal_access_tokens',
    summary: 'Create a personal access token of your own',
    scope: 'read_user',
    allow: anyone,
    input: Type.Object(newTokenInput),
    status: 201,
    answer: NewTokenJson,
    async run(context) {
      const { user, input } = context
      return createToken(context, { user_id: user.id, ...input })
    },
  }),

  endpoint({
    route: 'POST /users/:user_id/personal_access_tokens',
    summary: 'Create a personal access token for a user',
    scope: 'read_user',
    allow: administrators,
    input: Type.Object({ user_id: Type.Integer(), ...newTokenInput }),
    status: 201,
    answer: NewTokenJson,
    async run(context) {
      const { db, input } = context
      const user = await findUser(db, input.user_id)
      if (!user) throw notFound('User')
      return createToken(context, { ...input, user_id: user.id })
    },
  }),

  endpoint({
    route: 'POST /personal_access_tokens/self/rotate',
    summary: 'Rotate the token of this request',
    allow: anyone,
    transaction: 'none',
    input: Type.Object(rotationInput),
    answer: NewTokenJson,
    async run(context) {
      const { db, actor, input } = context
      return rotate(context, await getOwnToken(db, actor), input)
    },
  }),

  endpoint({
    route: 'POST /personal_access_tokens/:id(^\\d+$)/rotate',
    summary: 'Rotate a personal access token',
    allow: anyone,
    transaction: 'none',
    input: Type.Object({ id: Type.Integer(), ...rotationInput }),
    answer: NewTokenJson,
    load: loadToken,
    authorize: maySeeToken,
    run: (context) => rotate(context, context.loaded, context.input),
  }),

  endpoint({
    route: 'DELETE /personal_access_tokens/self',
    summary: 'Revoke the token of this request',
    allow: anyone,
    status: 204,
    async run(context) {
      const { db, actor } = context
      const token = await getOwnToken(db, actor)
      await revokePersonalToken(db, token.id)
      await recordTokenAuditEvent(context, 'token_revoked', token)
    },
  }),

  endpoint({
    route: 'DELETE /personal_access_tokens/:id(^\\d+$)',
    summary: 'Revoke a personal access token',
    allow: anyone,
    input: Type.Object({ id: Type.Integer() }),
    status: 204,
    async run(context) {
      const { db, actor, input } = context
      const token = await findPersonalToken(db, input.id)
      if (!token) throw recordNotFound()
      const isAllowed = isAdmin(actor) || isOwnPersonalToken(token, actor)
      if (!isAllowed || token.revoked) throw invalid('400 Bad request')
      await revokePersonalToken(db, token.id)
      await recordTokenAuditEvent(context, 'token_revoked', token)
    },
  }),
]
