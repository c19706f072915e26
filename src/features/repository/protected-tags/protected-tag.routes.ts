import { type Static, Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { oneOfNumbers, optionalInteger, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badParameters, recordNotFound, unprocessable } from '../../../kernel/errors.ts'
import {
  mayAdminBranches,
  mayAdminProject,
  type Project,
  projectLoader,
} from '../../../subjects/project.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import {
  findProtectionEntryProblems,
  protectedBranchNameProblems,
} from '../protected-branches/protect-branch.ts'
import { ProtectedTagJson, presentProtectedTag } from './protected-tag.present.ts'
import {
  deleteProtectedTag,
  findProtectedTag,
  insertProtectedTag,
  listProtectedTags,
  type NewTagProtectionEntry,
  type ProtectedTag,
} from './protected-tag.store.ts'

const endpoint = endpointFactory({ tag: 'Protected tags', on: projectLoader })
const nameInput = {
  name: Type.String({ description: 'Name of the tag, or a wildcard such as `v*`.' }),
}
const accessLevel = Type.Optional(
  oneOfNumbers([Level.none, Level.developer, Level.maintainer] as const),
)
const protectInput = Type.Object({
  ...nameInput,
  create_access_level: accessLevel,
  allowed_to_create: Type.Optional(
    Type.Array(
      Type.Object({
        user_id: optionalInteger,
        group_id: optionalInteger,
        access_level: accessLevel,
      }),
    ),
  ),
})

async function getProtectedTag(context: Context<Project, { name: string }>): Promise<ProtectedTag> {
  const { db, subject, actor, input } = context
  const rule = await findProtectedTag(db, { project_id: subject.id, name: input.name, actor })
  if (!rule) throw recordNotFound()
  return rule
}

/**
 * Returns the entries of a request: the listed ones (on paid tiers only) and the role. The default is
 * Maintainers.
 */
function entriesOf(
  { create_access_level: role, allowed_to_create: listed = [] }: Static<typeof protectInput>,
  isPaidTier: boolean,
): NewTagProtectionEntry[] {
  const entries = (isPaidTier ? listed : []).map((entry) => {
    const { user_id = null, group_id = null, access_level = null } = entry
    const given = [user_id, group_id, access_level].filter((value) => value !== null)
    if (given.length !== 1) {
      throw badParameters([
        'allowed_to_create: user_id, group_id, access_level are mutually exclusive',
      ])
    }
    return { user_id, group_id, access_level }
  })
  const level = role ?? (entries.length === 0 ? Level.maintainer : undefined)
  const byRole = { user_id: null, group_id: null }
  return level === undefined ? entries : [...entries, { ...byRole, access_level: level }]
}

async function recordEvent(
  context: Context<Project, unknown>,
  action: 'tag_protected' | 'tag_unprotected',
  {
    id,
    name,
    ...details
  }: { id: number; name: string; entries?: readonly NewTagProtectionEntry[] },
): Promise<void> {
  await recordAuditEvent(context, {
    action,
    entity: { kind: 'project', id: context.subject.id },
    target: { kind: 'protected_tag', id, name },
    details,
  })
}

export const protectedTagEndpoints = [
  endpoint({
    route: 'GET /projects/:id/protected_tags',
    summary: 'List the protected tags and wildcards of a project',
    signIn: 'always',
    allow: mayAdminProject,
    input: Type.Object(pageInput),
    answer: Type.Array(ProtectedTagJson),
    async run({ db, subject, actor, config, range }) {
      const of = { project_id: subject.id, actor }
      const { rows, total } = await listProtectedTags(db, of, range)
      return new Page({ items: rows.map((rule) => presentProtectedTag(rule, config.tier)), total })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/protected_tags/:name',
    summary: 'Get a protected tag or wildcard',
    signIn: 'always',
    allow: mayAdminProject,
    input: Type.Object(nameInput),
    answer: ProtectedTagJson,
    async run(context) {
      return presentProtectedTag(await getProtectedTag(context), context.config.tier)
    },
  }),

  endpoint({
    route: 'POST /projects/:id/protected_tags',
    summary: 'Protect a tag, or all tags that a wildcard matches',
    allow: mayAdminBranches,
    input: protectInput,
    status: 201,
    answer: ProtectedTagJson,
    async run(context) {
      const { db, clock, subject, config, input } = context
      const { name } = input
      const entries = entriesOf(input, config.tier !== 'free')
      const named = entries.map(({ user_id = null, group_id = null }) => ({
        field: 'Create access levels',
        user_id,
        group_id,
      }))
      const problems = [
        ...protectedBranchNameProblems(name),
        ...(await findProtectionEntryProblems(context, subject, named)),
      ]
      if (problems.length > 0) throw unprocessable(problems)
      const rule = { project_id: subject.id, name, created_at: timestamp(clock) }
      const id = await insertProtectedTag(db, rule, entries)
      if (id === undefined) throw unprocessable(['Name has already been taken'])
      await recordEvent(context, 'tag_protected', { id, name, entries })
      return presentProtectedTag(await getProtectedTag(context), config.tier)
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id/protected_tags/:name',
    summary: 'Unprotect a tag or wildcard',
    allow: mayAdminBranches,
    input: Type.Object(nameInput),
    status: 204,
    async run(context) {
      const { id, name, created_at } = await getProtectedTag(context)
      checkIfUnmodifiedSince(context.request, created_at)
      await deleteProtectedTag(context.db, id)
      await recordEvent(context, 'tag_unprotected', { id, name })
    },
  }),
]
