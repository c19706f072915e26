import { Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import { administrators, type Rule } from '../../../access/rule.ts'
import { toJson } from '../../../db/dialect.ts'
import {
  type Context,
  type Endpoint,
  endpointFactory,
  endpoint as plainEndpoint,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  dateTime,
  nullable,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { digestToken, newDeployToken } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { sealSecret } from '../../../kernel/secrets.ts'
import { groupLoader } from '../../../subjects/group.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { projectLoader } from '../../../subjects/project.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import {
  checkNewTokenAgainstParent,
  parentTokenProblems,
  tokenExpiryInstant,
} from '../../people/tokens/parent-token.ts'
import { DeployTokenJson, NewDeployTokenJson, presentDeployToken } from './deploy-token.present.ts'
import {
  type DeployToken,
  type DeployTokenOwner,
  deleteDeployToken,
  findDeployToken,
  hasDeployTokensAtLeast,
  insertDeployToken,
  listDeployTokens,
} from './deploy-token.store.ts'
import { deployTokenNameForJobs } from './deploy-token.ts'

const tag = 'Deploy tokens'

const tokenScopes = [
  'read_repository',
  'read_registry',
  'write_registry',
  'read_package_registry',
  'write_package_registry',
] as const

const ownerLoader = (
  kind: DeployTokenOwner['kind'],
  { parameters, load }: SubjectLoader<{ id: number }>,
): SubjectLoader<DeployTokenOwner> => ({
  parameters,
  async load(request) {
    const { subject, level } = await load(request)
    return { subject: { kind, id: subject.id }, level }
  },
})

const manageTokens: Rule<DeployTokenOwner> = ({ level }) => level >= Level.maintainer

type TokenContext<Input> = Context<DeployTokenOwner, Input>

async function getToken({
  db,
  clock,
  subject: owner,
  input,
}: TokenContext<{ token_id: number }>): Promise<DeployToken> {
  const token = await findDeployToken(db, owner, {
    id: input.token_id,
    now: timestamp(clock),
  })
  if (!token) throw notFound()
  return token
}

/** Throws 400 with all validation problems as sentences. */
function check({
  name,
  username,
  scopes,
}: {
  name: string
  username?: string
  scopes: readonly string[]
}): void {
  const problems: string[] = []
  const maximum = limits.name_characters
  if (scopes.length === 0) problems.push("Scopes can't be blank")
  if (name.trim() === '') problems.push("Name can't be blank")
  if ([...name].length > maximum) {
    problems.push(`Name is too long (maximum is ${maximum} characters)`)
  }
  if (username !== undefined && username.length > maximum) {
    problems.push(`Username is too long (maximum is ${maximum} characters)`)
  }
  if (username !== undefined && !/^[\w.+-]*$/.test(username)) {
    problems.push("Username can contain only letters, digits, '_', '-', '+', and '.'")
  }
  if (problems.length > 0) throw invalid(problems.join(' and '))
}

async function recordEvent(
  context: TokenContext<unknown>,
  action: 'deploy_token_created' | 'deploy_token_revoked',
  { id, name, username, scopes, expires_at }: DeployToken,
): Promise<void> {
  await recordAuditEvent(context, {
    action,
    entity: context.subject,
    target: { kind: 'deploy_token', id, name },
    details: { username, scopes, expires_at },
  })
}

function endpointsOf(
  base: '/projects/:id/deploy_tokens' | '/groups/:id/deploy_tokens',
  on: SubjectLoader<DeployTokenOwner>,
): readonly Endpoint[] {
  const endpoint = endpointFactory({ tag, on, signIn: 'never' })
  const whose = base.startsWith('/projects') ? 'a project' : 'a group'
  const one = `${base}/:token_id` as const
  const tokenInput = Type.Object({ token_id: Type.Integer() })
  return [
    endpoint({
      route: `GET ${base}`,
      summary: `List the deploy tokens of ${whose}`,
      allow: manageTokens,
      input: Type.Object({ ...pageInput, active: optionalBoolean }),
      answer: Type.Array(DeployTokenJson),
      async run({ db, clock, subject: owner, input, range }) {
        const now = timestamp(clock)
        const filter = { owner, isActive: input.active, now }
        const { rows, total } = await listDeployTokens(db, filter, range)
        return new Page({ items: rows.map((token) => presentDeployToken(token, now)), total })
      },
    }),

    endpoint({
      route: `GET ${one}`,
      summary: `Get a deploy token of ${whose}`,
      allow: manageTokens,
      input: tokenInput,
      answer: DeployTokenJson,
      async run(context) {
        return presentDeployToken(await getToken(context), timestamp(context.clock))
      },
    }),

    endpoint({
      route: `POST ${base}`,
      summary: `Create a deploy token of ${whose}`,
      allow: manageTokens,
      input: Type.Object({
        name: Type.String(),
        scopes: Type.Array(oneOf(tokenScopes)),
        expires_at: Type.Optional(nullable(dateTime())),
        username: optionalText,
      }),
      status: 201,
      answer: NewDeployTokenJson,
      async run(context) {
        const { db, clock, subject: owner, user, input, secretKey } = context
        const username = input.username || undefined
        check({ ...input, username })
        const maximum = limits.deploy_tokens_max
        await lockOwner(db, owner)
        if (await hasDeployTokensAtLeast(db, owner, maximum)) {
          throw invalid(`Maximum number of deploy tokens (${maximum}) exceeded`)
        }
        const { name, scopes } = input
        // The scopes are not compared: this request requires the scope `api`, which includes those of deploy
        // tokens.
        const wanted = { scopes: [], expires_at: input.expires_at ?? null }
        const inherited = await checkNewTokenAgainstParent(db, context.actor, wanted)
        if ('excess' in inherited) throw invalid(parentTokenProblems[inherited.excess])
        const { parent_id } = inherited
        const expires_at = inherited.expires_at && tokenExpiryInstant(inherited.expires_at)
        const text = newDeployToken()
        const isForJobs = owner.kind === 'project' && name === deployTokenNameForJobs
        const now = timestamp(clock)
        const token = await insertDeployToken(db, {
          ...(owner.kind === 'project' ? { project_id: owner.id } : { namespace_id: owner.id }),
          name,
          username,
          digest: digestToken(text),
          token: isForJobs ? sealSecret(secretKey, text) : null,
          scopes: toJson([...new Set(scopes)]),
          expires_at,
          created_by_id: user.id,
          parent_id,
          created_at: now,
        })
        await recordEvent(context, 'deploy_token_created', token)
        return { ...presentDeployToken(token, now), token: text }
      },
    }),

    endpoint({
      route: `DELETE ${one}`,
      summary: `Revoke a deploy token of ${whose}`,
      allow: manageTokens,
      input: tokenInput,
      status: 204,
      async run(context) {
        const token = await getToken(context)
        await deleteDeployToken(context.db, token.id)
        await recordEvent(context, 'deploy_token_revoked', token)
      },
    }),
  ]
}

export const deployTokenEndpoints: readonly Endpoint[] = [
  plainEndpoint({
    route: 'GET /deploy_tokens',
    summary: 'List all deploy tokens',
    tag,
    allow: administrators,
    input: Type.Object({ ...pageInput, active: optionalBoolean }),
    answer: Type.Array(DeployTokenJson),
    async run({ db, clock, input, range }) {
      const now = timestamp(clock)
      const { rows, total } = await listDeployTokens(db, { isActive: input.active, now }, range)
      return new Page({ items: rows.map((token) => presentDeployToken(token, now)), total })
    },
  }),
  ...endpointsOf('/projects/:id/deploy_tokens', ownerLoader('project', projectLoader)),
  ...endpointsOf('/groups/:id/deploy_tokens', ownerLoader('group', groupLoader)),
]
