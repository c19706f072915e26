import { isIP } from 'node:net'
import { Type } from 'typebox'
import { Level, memberLevels } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import {
  type Context,
  type Endpoint,
  endpointFactory,
  type Permission,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  date,
  namedObject,
  nullable,
  oneOf,
  oneOfNumbers,
  pageInput,
} from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { badRequest, notFound, unauthorized } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { hostOfUrl } from '../../../outgoing/address-policy.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { getUser } from '../../../subjects/user.ts'
import {
  addMember,
  changeMember,
  lockAndFindMembership,
  removeMember,
} from '../../people/members/change-member.ts'
import {
  groupMemberSourceLoader,
  type MemberSource,
  projectMemberSourceLoader,
} from '../../people/members/member-source.ts'
import {
  checkNewTokenAgainstParent,
  parentTokenProblems,
} from '../../people/tokens/parent-token.ts'
import { rotatePersonalToken } from '../../people/tokens/rotate-token.ts'
import {
  insertPersonalToken,
  recordTokenAuditEvent,
  revokeTokensMadeWithToken,
} from '../../people/tokens/token.ts'
import { NewTokenJson, presentToken, TokenJson } from '../../people/tokens/token-record.ts'
import { enqueueUserRemoval } from '../../people/users/remove-user.ts'
import {
  type AccessToken,
  deleteTokenBot,
  findAccessToken,
  hasTokenBotsAtLeast,
  insertTokenBot,
  isTokenBot,
  listAccessTokens,
} from './access-token.store.ts'
import { createTokenBot } from './create-token-bot.ts'

const tokenScopes = [
  'api',
  'read_api',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
] as const

const AccessTokenJson = namedObject('AccessToken', {
  ...TokenJson.properties,
  access_level: Type.Integer(),
})
const NewAccessTokenJson = namedObject('NewAccessToken', {
  ...NewTokenJson.properties,
  access_level: Type.Integer(),
})

const lowest = { project: Level.maintainer, group: Level.owner } as const
const manageTokens: Rule<MemberSource> = ({ subject, level }) => level >= lowest[subject.kind]
const seeSource: Rule<MemberSource> = () => true

const tokenInput = { token_id: Type.Integer() }
const endInput = { expires_at: Type.Optional(nullable(date())) }

type TokenContext<Input> = Context<MemberSource, Input>

function missing({ subject, input }: TokenContext<{ token_id: number }>) {
  return notFound(`Could not find ${subject.kind} access token with token_id: ${input.token_id}`)
}

async function getToken(context: TokenContext<{ token_id: number }>): Promise<AccessToken> {
  const token = await findAccessToken(context.db, context.subject, context.input.token_id)
  if (!token) throw missing(context)
  return token
}

function show({ clock }: TokenContext<unknown>, token: AccessToken) {
  return { ...presentToken(token, today(clock)), access_level: token.access_level }
}

/** Returns the domain after `noreply.` in a bot's email address; an IP address is not used. */
function mailHost(baseUrl: string): string {
  const url = new URL(baseUrl)
  return isIP(hostOfUrl(url)) === 0 ? url.hostname : 'localhost'
}

/** Throws 400 with the message of the real product for an invalid token. */
async function checkNew(
  context: TokenContext<{
    name: string
    scopes: readonly string[]
    access_level?: number
    expires_at?: string | null
  }>,
): Promise<void> {
  const { db, clock, subject: owner, level, user, input } = context
  const isAllowed = manageTokens(context) && !(await isTokenBot(db, user.id))
  if (!isAllowed) {
    throw badRequest(`User does not have permission to create ${owner.kind} access token`)
  }
  const { name, scopes, access_level = Level.maintainer, expires_at } = input
  if (access_level > level) {
    throw badRequest(
      `Could not provision ${levelTexts[access_level]} access to ${owner.kind} access token`,
    )
  }
  if (name.trim() === '') throw badRequest("Name can't be blank")
  if (scopes.length === 0) throw badRequest("Scopes can't be blank")
  if ([...name].length > limits.name_characters) {
    throw badRequest(`Name is too long (maximum is ${limits.name_characters} characters)`)
  }
  if (expires_at && expires_at < today(clock)) {
    throw badRequest('Expiration date cannot be in the past')
  }
  const maximum = limits.access_token_bots_max
  await lockOwner(db, owner)
  if (await hasTokenBotsAtLeast(db, owner, maximum)) {
    throw badRequest(`Maximum number of access tokens (${maximum}) exceeded`)
  }
}

const levelTexts: Readonly<Record<number, string>> = {
  [Level.maintainer]: 'maintainer',
  [Level.owner]: 'owner',
}

type Rotating = TokenContext<{ expires_at?: string | null }> & { loaded: AccessToken }

/**
 * Returns whether the caller may rotate the token, and so obtain the new one: the token's own bot may, and
 * callers with at least its access level.
 */
async function mayRotate(context: Rotating): Promise<Permission> {
  const { db, subject: owner, user, level, loaded: token } = context
  const { user_id } = token
  const before = await runTransaction(db, (tx) => lockAndFindMembership(tx, owner, user_id))
  const held = Math.max(token.access_level, before?.access_level ?? Level.none)
  return user_id === user.id || held <= level || unauthorized()
}

/** Rotates the token. A bot that rotates its own token keeps at most its own level. */
async function rotate(context: Rotating) {
  const { db, subject: owner, user, level, input, loaded: token } = context
  const { user_id } = token
  const isOwn = user_id === user.id
  const made = await rotatePersonalToken(context, token, { ...input, entity: owner })
  await runTransaction(db, async (tx) => {
    const source = { ...context, db: tx }
    const { expires_at } = made.token
    const member = await lockAndFindMembership(tx, owner, user_id)
    // A bot that is no longer a member must not make itself a member again.
    if (!member && isOwn) return
    const { access_level } = member ?? token
    const by = { user, level: isOwn ? access_level : level }
    const wish = { user_id, access_level, expires_at }
    if (member) await changeMember(source, owner, { member, wish, by })
    else await addMember(source, owner, { wish, by })
  })
  return { ...show(context, { ...token, ...made.token }), token: made.text }
}

function endpointsOf(
  base: '/projects/:id/access_tokens' | '/groups/:id/access_tokens',
  on: SubjectLoader<MemberSource>,
): readonly Endpoint[] {
  const endpoint = endpointFactory({ tag: 'Access tokens', on, signIn: 'always' })
  const whose = base.startsWith('/projects') ? 'a project' : 'a group'
  const one = `${base}/:token_id(^\\d+$)` as const
  return [
    endpoint({
      route: `GET ${base}`,
      summary: `List the access tokens of ${whose}`,
      allow: manageTokens,
      refusal: () => unauthorized(),
      input: Type.Object(pageInput),
      answer: Type.Array(AccessTokenJson),
      async run(context) {
        const { db, subject: owner, range } = context
        const { rows, total } = await listAccessTokens(db, owner, range)
        return new Page({ items: rows.map((token) => show(context, token)), total })
      },
    }),

    endpoint({
      route: `GET ${one}`,
      summary: `Get an access token of ${whose}`,
      allow: manageTokens,
      refusal: () => unauthorized(),
      input: Type.Object(tokenInput),
      answer: AccessTokenJson,
      async run(context) {
        return show(context, await getToken(context))
      },
    }),

    endpoint({
      route: `POST ${base}`,
      summary: `Create an access token of ${whose} with its bot`,
      allow: seeSource,
      input: Type.Object({
        name: Type.String(),
        scopes: Type.Array(oneOf(tokenScopes)),
        access_level: Type.Optional(oneOfNumbers(memberLevels, { default: Level.maintainer })),
        ...endInput,
      }),
      status: 201,
      answer: NewAccessTokenJson,
      async run(context) {
        const { db, clock, subject: owner, user, level, input, baseUrl } = context
        await checkNew(context)
        const { name, access_level = Level.maintainer } = input
        const scopes = [...new Set(input.scopes)]
        const wanted = { scopes, expires_at: input.expires_at ?? null }
        const inherited = await checkNewTokenAgainstParent(db, context.actor, wanted)
        if ('excess' in inherited) throw badRequest(parentTokenProblems[inherited.excess])
        const { expires_at, parent_id } = inherited
        const host = mailHost(baseUrl)
        const bot = await createTokenBot(context, owner, { name, host, external: user.external })
        const wish = { user_id: bot.id, access_level, expires_at }
        await addMember(context, owner, { wish, by: { user, level } })
        const place =
          owner.kind === 'project' ? { project_id: owner.id } : { namespace_id: owner.id }
        await insertTokenBot(db, {
          user_id: bot.id,
          ...place,
          access_level,
          created_by_id: user.id,
        })
        const token = { user_id: bot.id, name, scopes, expires_at, parent_id }
        const made = await insertPersonalToken(db, clock, token)
        await recordTokenAuditEvent(context, 'token_created', made.token, owner)
        const shown = show(context, { ...made.token, access_level, bot_name: name })
        return { ...shown, token: made.text }
      },
    }),

    endpoint({
      route: `DELETE ${one}`,
      summary: `Revoke an access token of ${whose}, and remove its bot`,
      allow: seeSource,
      input: Type.Object(tokenInput),
      status: 204,
      async run(context) {
        const { db, clock, subject: owner, user } = context
        const token = await getToken(context)
        if (!manageTokens(context) && token.user_id !== user.id) {
          throw badRequest(`${user.name} cannot delete ${token.bot_name}`)
        }
        const member = await lockAndFindMembership(db, owner, token.user_id)
        if (member) await removeMember(context, owner, { member, skipsBelow: false })
        await revokeTokensMadeWithToken(db, token.id)
        await recordTokenAuditEvent(context, 'token_revoked', token, owner)
        await deleteTokenBot(db, token.user_id)
        const bot = await getUser(db, token.user_id)
        await enqueueUserRemoval(db, clock, { user: bot, isHard: false })
      },
    }),

    endpoint({
      route: `POST ${base}/self/rotate`,
      summary: `Rotate the access token of ${whose} that makes this request`,
      allow: seeSource,
      transaction: 'none',
      input: Type.Object(endInput),
      answer: NewAccessTokenJson,
      async load({ db, subject: owner, actor }) {
        const own = actor.token?.kind === 'oauth' ? undefined : actor.token
        const token = own && (await findAccessToken(db, owner, own.id))
        if (!token) throw unauthorized()
        return token
      },
      authorize: mayRotate,
      run: rotate,
    }),

    endpoint({
      route: `POST ${one}/rotate`,
      summary: `Rotate an access token of ${whose}`,
      allow: manageTokens,
      refusal: () => unauthorized(),
      transaction: 'none',
      input: Type.Object({ ...tokenInput, ...endInput }),
      answer: NewAccessTokenJson,
      async load({ db, subject: owner, input, actor }) {
        const token = await findAccessToken(db, owner, input.token_id)
        if (!token) throw actor.user?.is_admin ? notFound() : unauthorized()
        return token
      },
      async authorize(context) {
        const { db, user, loaded: token } = context
        const isOther = token.user_id !== user.id
        if (isOther && (await isTokenBot(db, user.id))) return unauthorized()
        return mayRotate(context)
      },
      run: rotate,
    }),
  ]
}

export const accessTokenEndpoints: readonly Endpoint[] = [
  ...endpointsOf('/projects/:id/access_tokens', projectMemberSourceLoader),
  ...endpointsOf('/groups/:id/access_tokens', groupMemberSourceLoader),
]
