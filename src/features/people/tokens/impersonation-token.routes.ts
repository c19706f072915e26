import { Type } from 'typebox'
import { type TokenScope, tokenScopes } from '../../../access/actor.ts'
import { administrators } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { date, nullable, oneOf, pageInput } from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { type FieldErrors, invalid, notFound } from '../../../kernel/errors.ts'
import { findUser } from '../../../subjects/user.ts'
import { checkNewTokenAgainstParent } from './parent-token.ts'
import { findPersonalToken, listPersonalTokens } from './token.store.ts'
import {
  insertPersonalToken,
  type PersonalAccessToken,
  recordTokenAuditEvent,
  revokePersonalToken,
} from './token.ts'
import {
  ImpersonationTokenJson,
  NewImpersonationTokenJson,
  presentImpersonationToken,
} from './token-record.ts'

const endpoint = endpointFactory({ tag: 'Impersonation tokens', scope: 'read_user' })
const path = '/users/:user_id(^\\d+$)/impersonation_tokens'
const tokenInput = { user_id: Type.Integer(), impersonation_token_id: Type.Integer() }

async function checkUser(db: Db, id: number): Promise<void> {
  if (!(await findUser(db, id))) throw notFound('User')
}

async function getImpersonationToken(
  db: Db,
  input: { user_id: number; impersonation_token_id: number },
): Promise<PersonalAccessToken> {
  await checkUser(db, input.user_id)
  const token = await findPersonalToken(db, input.impersonation_token_id)
  const isFound = token?.impersonation && token.user_id === input.user_id
  if (!token || !isFound) throw notFound('Impersonation Token')
  return token
}

const excessTexts = {
  scopes: 'can only contain available scopes',
  expires_at: 'cannot be later than that of the token it is made with',
}

/** Returns the validation problems of a new token. */
function tokenProblems(
  token: { name: string; scopes: readonly string[]; expires_at: string | null },
  today: string,
): FieldErrors {
  const problems: FieldErrors = {}
  if (token.name.trim() === '') problems.name = ["can't be blank"]
  if (token.scopes.length === 0) problems.scopes = ["can't be blank"]
  if (token.scopes.some((scope) => !tokenScopes.includes(scope as TokenScope))) {
    problems.scopes = ['can only contain available scopes']
  }
  if (token.expires_at !== null && token.expires_at < today) {
    problems.expires_at = ['cannot be in the past']
  }
  return problems
}

export const impersonationTokenEndpoints = [
  endpoint({
    route: `GET ${path}`,
    summary: 'List the impersonation tokens of a user',
    allow: administrators,
    input: Type.Object({
      user_id: Type.Integer(),
      ...pageInput,
      state: Type.Optional(oneOf(['all', 'active', 'inactive'], { default: 'all' })),
    }),
    answer: Type.Array(ImpersonationTokenJson),
    async run(context) {
      const { db, clock, input } = context
      await checkUser(db, input.user_id)
      const { range } = context
      const state = input.state === 'all' ? undefined : input.state
      const filter = { user_id: input.user_id, state, impersonation: true, today: today(clock) }
      const { rows, total } = await listPersonalTokens(db, filter, range)
      const items = rows.map((token) => presentImpersonationToken(token, today(clock)))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: `POST ${path}`,
    summary: 'Create an impersonation token for a user',
    allow: administrators,
    input: Type.Object({
      user_id: Type.Integer(),
      name: Type.String(),
      expires_at: Type.Optional(nullable(date())),
      scopes: Type.Optional(Type.Array(Type.String(), { default: [] })),
    }),
    status: 201,
    answer: NewImpersonationTokenJson,
    async run(context) {
      const { db, clock, actor } = context
      const { expires_at = null, scopes: wanted = [], ...input } = context.input
      await checkUser(db, input.user_id)
      const problems = tokenProblems({ ...input, scopes: wanted, expires_at }, today(clock))
      if (Object.keys(problems).length > 0) throw invalid(problems)
      const scopes = [...new Set(wanted)] as TokenScope[]
      const inherited = await checkNewTokenAgainstParent(db, actor, { scopes, expires_at })
      if ('excess' in inherited) {
        throw invalid({ [inherited.excess]: [excessTexts[inherited.excess]] })
      }
      const made = { ...input, scopes, ...inherited, impersonation: true }
      const { token, text } = await insertPersonalToken(db, clock, made)
      await recordTokenAuditEvent(context, 'token_created', token)
      return { ...presentImpersonationToken(token, today(clock)), token: text }
    },
  }),

  endpoint({
    route: `GET ${path}/:impersonation_token_id(^\\d+$)`,
    summary: 'Get an impersonation token of a user',
    allow: administrators,
    input: Type.Object(tokenInput),
    answer: ImpersonationTokenJson,
    async run({ db, clock, input }) {
      return presentImpersonationToken(await getImpersonationToken(db, input), today(clock))
    },
  }),

  endpoint({
    route: `DELETE ${path}/:impersonation_token_id(^\\d+$)`,
    summary: 'Revoke an impersonation token of a user',
    allow: administrators,
    input: Type.Object(tokenInput),
    status: 204,
    async run(context) {
      const { db, input, request } = context
      const token = await getImpersonationToken(db, input)
      checkIfUnmodifiedSince(request, token.created_at)
      await revokePersonalToken(db, token.id)
      await recordTokenAuditEvent(context, 'token_revoked', token)
    },
  }),
]
