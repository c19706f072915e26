import { type Static, Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import {
  type Context,
  type Endpoint,
  endpointFactory,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  namedObject,
  nonBlankText,
  oneOfNumbers,
  optionalBoolean,
  optionalInteger,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badParameters, conflict, recordNotFound, unprocessable } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { groupLoader, listUsersWithGroupLevel } from '../../../subjects/group.ts'
import { isUnarchived, projectLoader } from '../../../subjects/project.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import {
  findProtectionEntryProblems,
  protectedBranchNameProblems,
} from '../../repository/protected-branches/protect-branch.ts'
import {
  type EnvironmentProtectionSubject,
  mayReadProtectedEnvironments,
  mayWriteProtectedEnvironments,
} from './protected-environment.policy.ts'
import {
  ProtectedEnvironmentJson,
  presentProtectedEnvironment,
} from './protected-environment.present.ts'
import {
  deleteEnvironmentProtectionEntries,
  deleteProtectedEnvironment,
  filterSubgroupIds,
  findProtectedEnvironment,
  insertEnvironmentProtectionEntries,
  insertProtectedEnvironment,
  listProtectedEnvironments,
  type NewEnvironmentProtectionEntry,
  type ProtectedEnvironment,
  updateEnvironmentProtectionEntry,
  updateProtectedEnvironment,
} from './protected-environment.store.ts'
import { groupInheritanceTypes } from './protected-environment.ts'

const tag = 'Protected environments'
const tiers = ['production', 'staging', 'testing', 'development', 'other']

const aProjectOwner: SubjectLoader<EnvironmentProtectionSubject> = {
  parameters: projectLoader.parameters,
  async load(request) {
    const { subject, level } = await projectLoader.load(request)
    const { id, namespace_id } = subject
    return {
      subject: { kind: 'project', id, namespace_id, isUnarchived: isUnarchived(subject) },
      level,
    }
  },
}
const aGroupOwner: SubjectLoader<EnvironmentProtectionSubject> = {
  parameters: groupLoader.parameters,
  async load(request) {
    const { subject, level } = await groupLoader.load(request)
    const { id } = subject
    return { subject: { kind: 'group', id, namespace_id: id, isUnarchived: true }, level }
  },
}

const entryFields = {
  id: optionalInteger,
  access_level: Type.Optional(
    oneOfNumbers([Level.developer, Level.maintainer, Level.admin] as const),
  ),
  user_id: optionalInteger,
  group_id: optionalInteger,
  group_inheritance_type: Type.Optional(
    oneOfNumbers([groupInheritanceTypes.direct, groupInheritanceTypes.all]),
  ),
  _destroy: optionalBoolean,
}
const entriesMax = { maxItems: limits.protected_environments.entries_max }
const deployLevels = Type.Array(namedObject('DeployAccessLevelInput', entryFields), entriesMax)
const approvalRules = Type.Array(
  namedObject('ApprovalRuleInput', {
    ...entryFields,
    required_approvals: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.protected_environments.approvals_max }),
    ),
  }),
  entriesMax,
)
const approvalsInput = {
  required_approval_count: Type.Optional(
    Type.Integer({ minimum: 0, maximum: limits.protected_environments.approvals_max }),
  ),
  approval_rules: Type.Optional(approvalRules),
}
const nameInput = {
  name: nonBlankText({ description: 'Of the environment; of a group, a deployment tier.' }),
}
const protectInput = Type.Object({
  ...nameInput,
  deploy_access_levels: deployLevels,
  ...approvalsInput,
})
const changeInput = Type.Object({
  ...nameInput,
  deploy_access_levels: Type.Optional(deployLevels),
  ...approvalsInput,
})

type GivenEntry = Static<typeof approvalRules>[number]
type Given = {
  id: number | undefined
  isRemoved: boolean
  entry: NewEnvironmentProtectionEntry | undefined
}

/** Returns the entries of a request: new ones, changes of existing ones (`id`), and removals (`_destroy`). */
function givenEntries(
  listed: readonly GivenEntry[],
  action: NewEnvironmentProtectionEntry['action'],
  name: string,
): Given[] {
  return listed.map((one) => {
    const { id, user_id = null, group_id = null, access_level = null, required_approvals } = one
    const isRemoved = one._destroy === true && id !== undefined
    const named = [user_id, group_id, access_level].filter((value) => value !== null)
    if (isRemoved || (id !== undefined && named.length === 0 && required_approvals === undefined)) {
      return { id, isRemoved, entry: undefined }
    }
    if (named.length > 1 || (named.length === 0 && id === undefined)) {
      throw badParameters([`${name}: user_id, group_id, access_level are mutually exclusive`])
    }
    const entry = {
      action,
      user_id,
      group_id,
      access_level,
      group_inheritance_type: one.group_inheritance_type ?? groupInheritanceTypes.direct,
      required_approvals: action === 'approve' ? (required_approvals ?? 1) : 0,
    }
    return { id, isRemoved, entry }
  })
}

type Input = {
  name: string
  deploy_access_levels?: readonly GivenEntry[]
  approval_rules?: readonly GivenEntry[]
  required_approval_count?: number
}

function allEntries({ deploy_access_levels = [], approval_rules = [] }: Input): Given[] {
  return [
    ...givenEntries(deploy_access_levels, 'deploy', 'deploy_access_levels'),
    ...givenEntries(approval_rules, 'approve', 'approval_rules'),
  ]
}

/** Throws 422 for a user or group that does not belong to the project or group. */
async function checkEntries(
  context: Context<EnvironmentProtectionSubject, Input>,
  entries: readonly NewEnvironmentProtectionEntry[],
): Promise<void> {
  const { db, subject: owner } = context
  const named = entries.map(({ action, user_id = null, group_id = null }) => ({
    field: action === 'deploy' ? 'Deploy access levels' : 'Approval rules',
    user_id,
    group_id,
  }))
  if (owner.kind === 'project') {
    const problems = await findProtectionEntryProblems(context, owner, named)
    if (problems.length > 0) throw unprocessable(problems)
    return
  }
  const { namespace_id } = owner
  const [users, groups] = [
    await listUsersWithGroupLevel(db, namespace_id, {
      ids: named.flatMap((one) => one.user_id ?? []),
      least: Level.maintainer,
    }),
    await filterSubgroupIds(db, { namespace_id, ids: named.flatMap((one) => one.group_id ?? []) }),
  ]
  const problems = named.flatMap(({ field, user_id, group_id }) => {
    if (user_id !== null && !users.has(user_id)) {
      return [`${field} user is not a maintainer of the group`]
    }
    if (group_id !== null && !groups.has(group_id)) return [`${field} group is not a subgroup`]
    return []
  })
  if (problems.length > 0) throw unprocessable([...new Set(problems)])
}

function checkName({ kind }: EnvironmentProtectionSubject, name: string): void {
  if (kind === 'group' && !tiers.includes(name)) {
    throw badParameters(['name does not have a valid value'])
  }
  const problems = protectedBranchNameProblems(name)
  if (problems.length > 0) throw unprocessable(problems)
}

async function getProtection(
  context: Context<EnvironmentProtectionSubject, { name: string }>,
): Promise<ProtectedEnvironment> {
  const { db, subject: owner, actor, input } = context
  const found = await findProtectedEnvironment(db, { owner, name: input.name, actor })
  if (!found) throw recordNotFound()
  return found
}

async function recordEvent(
  context: Context<EnvironmentProtectionSubject, unknown>,
  action: 'environment_protected' | 'environment_protection_changed' | 'environment_unprotected',
  { id, name, entries, required_approval_count }: ProtectedEnvironment,
): Promise<void> {
  const { kind, id: ownerId } = context.subject
  await recordAuditEvent(context, {
    action,
    entity: { kind, id: ownerId },
    target: { kind: 'protected_environment', id, name },
    details: {
      required_approval_count,
      entries: entries.map(({ user_name: _, group_name: __, ...entry }) => entry),
    },
  })
}

async function change(context: Context<EnvironmentProtectionSubject, Input>) {
  const { db, clock, input } = context
  const before = await getProtection(context)
  const given = allEntries(input)
  const byId = new Map(before.entries.map((entry) => [entry.id, entry]))
  const added: NewEnvironmentProtectionEntry[] = []
  const changed: { id: number; entry: NewEnvironmentProtectionEntry }[] = []
  for (const { id, entry } of given) {
    const old = id === undefined ? undefined : byId.get(id)
    if (id !== undefined && !old) throw recordNotFound()
    if (!entry) continue
    if (old?.action !== undefined && old.action !== entry.action) throw recordNotFound()
    const isSame = !entry.user_id && !entry.group_id && !entry.access_level
    const { user_id, group_id, access_level } = old ?? {}
    if (!old) added.push(entry)
    else
      changed.push({
        id: old.id,
        entry: isSame ? { ...entry, user_id, group_id, access_level } : entry,
      })
  }
  if (before.entries.length + added.length > 2 * limits.protected_environments.entries_max) {
    throw unprocessable(['Too many access levels'])
  }
  await checkEntries(context, [...added, ...changed.map(({ entry }) => entry)])
  await deleteEnvironmentProtectionEntries(
    db,
    given.flatMap(({ id, isRemoved }) => (isRemoved && id !== undefined ? [id] : [])),
  )
  for (const { id, entry } of changed) await updateEnvironmentProtectionEntry(db, id, entry)
  await insertEnvironmentProtectionEntries(db, before.id, added)
  const { required_approval_count = before.required_approval_count } = input
  const changes = { required_approval_count, updated_at: timestamp(clock) }
  await updateProtectedEnvironment(db, before.id, changes)
  const made = await getProtection(context)
  await recordEvent(context, 'environment_protection_changed', made)
  return presentProtectedEnvironment(made)
}

function endpointsOf(
  base: '/projects/:id/protected_environments' | '/groups/:id/protected_environments',
  on: SubjectLoader<EnvironmentProtectionSubject>,
): readonly Endpoint[] {
  const endpoint = endpointFactory({ tag, on, tier: 'premium', signIn: 'always' })
  const whose = base.startsWith('/groups') ? 'a group' : 'a project'
  return [
    endpoint({
      route: `GET ${base}`,
      summary: `List the protected environments of ${whose}`,
      allow: mayReadProtectedEnvironments,
      input: Type.Object(pageInput),
      answer: Type.Array(ProtectedEnvironmentJson),
      async run({ db, subject: owner, actor, range }) {
        const { rows, total } = await listProtectedEnvironments(db, { owner, actor }, range)
        return new Page({ items: rows.map(presentProtectedEnvironment), total })
      },
    }),

    endpoint({
      route: `GET ${base}/:name`,
      summary: `Get a protected environment of ${whose}`,
      allow: mayReadProtectedEnvironments,
      input: Type.Object(nameInput),
      answer: ProtectedEnvironmentJson,
      run: async (context) => presentProtectedEnvironment(await getProtection(context)),
    }),

    endpoint({
      route: `POST ${base}`,
      summary: `Protect an environment of ${whose}`,
      allow: mayWriteProtectedEnvironments,
      input: protectInput,
      status: 201,
      answer: ProtectedEnvironmentJson,
      async run(context) {
        const { db, clock, subject: owner, input } = context
        const { name, required_approval_count = 0 } = input
        checkName(owner, name)
        const entries = allEntries(input).flatMap(({ entry }) => entry ?? [])
        await checkEntries(context, entries)
        const now = timestamp(clock)
        const rule = { name, required_approval_count, created_at: now, updated_at: now }
        const id = await insertProtectedEnvironment(db, owner, { ...rule, entries })
        if (id === undefined) throw conflict(`Protected environment '${name}' already exists`)
        const made = await getProtection(context)
        await recordEvent(context, 'environment_protected', made)
        return presentProtectedEnvironment(made)
      },
    }),

    endpoint({
      route: `PUT ${base}/:name`,
      summary: `Update a protected environment of ${whose}`,
      allow: mayWriteProtectedEnvironments,
      input: changeInput,
      answer: ProtectedEnvironmentJson,
      run: change,
    }),

    endpoint({
      route: `DELETE ${base}/:name`,
      summary: `Unprotect an environment of ${whose}`,
      allow: mayWriteProtectedEnvironments,
      input: Type.Object(nameInput),
      status: 204,
      async run(context) {
        const found = await getProtection(context)
        checkIfUnmodifiedSince(context.request, found.updated_at)
        await deleteProtectedEnvironment(context.db, found.id)
        await recordEvent(context, 'environment_unprotected', found)
      },
    }),
  ]
}

export const protectedEnvironmentEndpoints: readonly Endpoint[] = [
  ...endpointsOf('/projects/:id/protected_environments', aProjectOwner),
  ...endpointsOf('/groups/:id/protected_environments', aGroupOwner),
]
