import { Type } from 'typebox'
import { isAdmin } from '../../../access/actor.ts'
import { memberLevels } from '../../../access/level.ts'
import { lockAccessRecomputation } from '../../../access/recompute-access.ts'
import { anyone } from '../../../access/rule.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { acceptedAnswer } from '../../../http/answer.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpoint } from '../../../http/endpoint.ts'
import { Page, type PageInput } from '../../../http/pagination.ts'
import {
  file,
  MessageJson,
  nullable,
  nullableInteger,
  oneOf,
  oneOfNumbers,
  optionalBoolean,
  optionalInteger,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp, today } from '../../../kernel/clock.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { getVisibleGroup, groupLoader } from '../../../subjects/group.ts'
import { findUser } from '../../../subjects/user.ts'
import { enqueue } from '../../../tasks/task.ts'
import { withAbilitiesInput } from '../../abilities.ts'
import { changedFieldsWithValues, recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import {
  type AvatarChange,
  changeAvatar,
  storeUploadedAvatar,
} from '../../basics/avatars/change-avatar.ts'
import {
  addCustomAttributesToRecords,
  customAttributeFilterInput,
  parseCustomAttributeFilter,
  withCustomAttributesInput,
} from '../../basics/custom-attributes/custom-attribute.ts'
import { renderDescriptionHtml } from '../../basics/markdown/markdown.ts'
import type { NamespaceSettings } from '../../basics/namespaces/namespace.ts'
import { readSettingOrDefault } from '../../basics/settings/setting.ts'
import { createGroup } from './create-group.ts'
import {
  describeGroup,
  GroupDetailJson,
  GroupWithAbilitiesJson,
  resolveGroupAbilities,
} from './describe-group.ts'
import { findTemplateProjectIdsByGroup } from './file-templates.store.ts'
import {
  mayAdminGroup,
  mayCreateSubgroup,
  mayCreateTopLevelGroup,
  mayReadGroup,
} from './group.policy.ts'
import { GroupJson, presentGroup, zeroGroupSizes } from './group.present.ts'
import {
  type GroupFilter,
  type GroupOrder,
  listGroups,
  sumSizesByGroup,
  updateGroup,
} from './group.store.ts'
import { removeGroupTask } from './group.tasks.ts'
import { markGroupDeleted } from './group-removal.store.ts'
import { changeGroup } from './update-group.ts'

const tag = 'Groups'

const settingsInput = {
  share_with_group_lock: optionalBoolean,
  require_two_factor_authentication: optionalBoolean,
  two_factor_grace_period: optionalInteger,
  project_creation_level: Type.Optional(oneOf(['noone', 'owner', 'maintainer', 'developer'])),
  auto_devops_enabled: Type.Optional(nullable(Type.Boolean())),
  subgroup_creation_level: Type.Optional(oneOf(['owner', 'maintainer'])),
  emails_disabled: Type.Optional(nullable(Type.Boolean())),
  mentions_disabled: Type.Optional(nullable(Type.Boolean())),
  lfs_enabled: optionalBoolean,
  request_access_enabled: optionalBoolean,
  default_branch_protection: Type.Optional(oneOfNumbers([0, 1, 2, 3])),
  prevent_sharing_groups_outside_hierarchy: optionalBoolean,
  repository_size_limit: Type.Optional(nullableInteger),
  storage_size_limit: Type.Optional(nullableInteger),
}

/** Settings that only `PUT` accepts. */
const changedSettingsInput = {
  ...settingsInput,
  file_template_project_id: Type.Optional(nullableInteger),
}

const avatarInput = { avatar: Type.Optional(nullable(file())) }
const body_bytes_max = limits.avatar_body_bytes

const visibility = oneOf(['private', 'internal', 'public'])

const listInput = {
  ...pageInput,
  skip_groups: Type.Optional(Type.Array(Type.Integer())),
  all_available: optionalBoolean,
  search: optionalText,
  owned: optionalBoolean,
  order_by: Type.Optional(oneOf(['name', 'path', 'id', 'similarity'], { default: 'name' })),
  sort: Type.Optional(oneOf(['asc', 'desc'], { default: 'asc' })),
  min_access_level: Type.Optional(oneOfNumbers(memberLevels)),
  statistics: optionalBoolean,
  ...customAttributeFilterInput,
  ...withCustomAttributesInput,
}

type ListInput = GroupFilter &
  Partial<GroupOrder> &
  PageInput & {
    statistics?: boolean
    custom_attributes?: Record<string, unknown>
    with_custom_attributes?: boolean
  }

/** Settings of the paid tiers, which the free tier ignores. */
const paid: ReadonlySet<string> = new Set(['file_template_project_id'])

/** Only administrators set these, on paid tiers. */
const quotaNames = ['repository_size_limit', 'storage_size_limit'] as const
const quotas: ReadonlySet<string> = new Set(quotaNames)

/** Returns the parameters that are columns of the group. */
function settingsOf(
  input: Partial<NamespaceSettings>,
  { actor, config }: Context<unknown, unknown>,
): Partial<NamespaceSettings> {
  const isPaidTier = config.tier !== 'free'
  const mayLimit = isAdmin(actor) && isPaidTier
  const names = Object.keys(changedSettingsInput) as (keyof NamespaceSettings)[]
  const isTaken = (name: string) => (quotas.has(name) ? mayLimit : isPaidTier || !paid.has(name))
  const given = names.filter((name) => input[name] !== undefined && isTaken(name))
  return Object.fromEntries(given.map((name) => [name, input[name]]))
}

async function answerList(
  context: Context<unknown, ListInput>,
  where: Pick<
    GroupFilter,
    'parent_id' | 'below_id' | 'top_level_only' | 'shared_with' | 'invited_into'
  >,
) {
  const { db, actor, baseUrl, input } = context
  // Without a search there is no similarity to order by, so the default order is used.
  const isMeant = input.order_by !== 'similarity' || Boolean(input.search)
  const { order_by = 'name', sort = 'asc' } = isMeant
    ? input
    : { ...input, order_by: 'name' as const }
  const { range } = context
  const filter = { ...input, ...where, attributes: parseCustomAttributeFilter(actor, input) }
  const { rows, total } = await listGroups(db, actor, filter, { order_by, sort, ...range })
  // Only administrators get sizes. For others the parameter is ignored.
  const sizes =
    input.statistics && isAdmin(actor)
      ? await sumSizesByGroup(
          db,
          rows.map(({ id }) => id),
        )
      : undefined
  const templates = await findTemplateProjectIdsByGroup(context, rows)
  const items = rows.map((group) =>
    presentGroup(group, {
      baseUrl,
      sizes: sizes && (sizes.get(group.id) ?? zeroGroupSizes),
      file_template_project_id: templates.get(group.id),
    }),
  )
  const isWanted = input.with_custom_attributes
  const shown = await addCustomAttributesToRecords(context, 'group', { items, isWanted })
  return new Page({ items: shown, total })
}

/**
 * Returns the parent group; undefined for a top-level group. Throws 403 if the caller may not create a group
 * there.
 */
async function getParent({ db, actor, user }: Context<unknown, unknown>, id: number | undefined) {
  const parent = id === undefined ? undefined : await getVisibleGroup(db, actor, id)
  const account = parent ? undefined : await findUser(db, user.id)
  const isAllowed = parent
    ? mayCreateSubgroup({ subject: parent.group, level: parent.level, actor })
    : account !== undefined && mayCreateTopLevelGroup(user, account)
  if (!isAllowed) throw forbidden()
  return parent?.group
}

async function setAvatar(
  { db, clock }: Pick<Context<unknown, unknown>, 'db' | 'clock'>,
  id: number,
  change: AvatarChange,
): Promise<{ avatar?: string | null }> {
  const owner = { kind: 'group', id } as const
  const changes = await changeAvatar(db, { owner, change, now: timestamp(clock) })
  if (change !== undefined) await updateGroup(db, id, changes)
  return changes
}

/** The settings of a group that affect access. */
const auditedFields = [
  'visibility',
  'path',
  'default_branch_protection',
  'share_with_group_lock',
  'prevent_sharing_groups_outside_hierarchy',
  'project_creation_level',
  'subgroup_creation_level',
  'request_access_enabled',
  'require_two_factor_authentication',
  'two_factor_grace_period',
  ...quotaNames,
] as const

export const groupEndpoints = [
  endpoint({
    route: 'GET /groups',
    summary: 'List groups',
    tag,
    signIn: 'never',
    allow: anyone,
    input: Type.Object({ ...listInput, top_level_only: optionalBoolean }),
    answer: Type.Array(GroupJson),
    run: (context) => answerList(context, { top_level_only: context.input.top_level_only }),
  }),

  endpoint({
    route: 'GET /groups/:id/subgroups',
    summary: 'List the subgroups of a group',
    tag,
    on: groupLoader,
    allow: mayReadGroup,
    input: Type.Object(listInput),
    answer: Type.Array(GroupJson),
    run: (context) => answerList(context, { parent_id: context.subject.id }),
  }),

  endpoint({
    route: 'GET /groups/:id/descendant_groups',
    summary: 'List the descendant groups of a group',
    tag,
    on: groupLoader,
    allow: mayReadGroup,
    input: Type.Object(listInput),
    answer: Type.Array(GroupJson),
    run: (context) => answerList(context, { below_id: context.subject.id }),
  }),

  endpoint({
    route: 'GET /groups/:id/groups/shared',
    summary: 'List the groups to which a group is invited',
    tag,
    on: groupLoader,
    allow: mayReadGroup,
    input: Type.Object(listInput),
    answer: Type.Array(GroupJson),
    run(context) {
      const { clock, subject } = context
      return answerList(context, {
        shared_with: { group_id: subject.id, today: today(clock) },
      })
    },
  }),

  endpoint({
    route: 'GET /groups/:id/invited_groups',
    summary: 'List the groups invited to a group or its parent groups',
    tag,
    on: groupLoader,
    allow: mayReadGroup,
    input: Type.Object({
      ...listInput,
      relation: Type.Optional(Type.Array(oneOf(['direct', 'inherited']))),
    }),
    answer: Type.Array(GroupJson),
    run(context) {
      const { clock, subject, input } = context
      const { relation } = input
      return answerList(context, {
        invited_into: { group_id: subject.id, today: today(clock), relation },
      })
    },
  }),

  endpoint({
    route: 'POST /groups',
    summary: 'Create a group',
    tag,
    allow: anyone,
    transaction: 'none',
    body_bytes_max,
    input: Type.Object({
      name: Type.String(),
      path: Type.String(),
      parent_id: optionalInteger,
      description: optionalText,
      visibility: Type.Optional(visibility),
      ...settingsInput,
      ...avatarInput,
    }),
    status: 201,
    answer: GroupDetailJson,
    async run(context) {
      const { user, input, actor, db } = context
      const { name, path, description = '' } = input
      const wanted =
        input.visibility ?? (await readSettingOrDefault(db, 'default_group_visibility'))
      const settings = settingsOf(input, context)
      const own = { name, path, description, visibility: wanted, settings, creator: user }
      await getParent(context, input.parent_id)
      const change = await storeUploadedAvatar(context, input.avatar)
      const id = await runTransaction(db, async (tx) => {
        const uses = { ...context, db: tx }
        // The lock keeps the parent from being moved or deleted meanwhile.
        await lockAccessRecomputation(tx)
        const parent = await getParent(uses, input.parent_id)
        const made = await createGroup(uses, { ...own, parent })
        await setAvatar(uses, made.id, change)
        return made.id
      })
      return describeGroup(context, await getVisibleGroup(db, actor, id))
    },
  }),

  endpoint({
    route: 'GET /groups/:id',
    summary: 'Get a group',
    tag,
    on: groupLoader,
    allow: mayReadGroup,
    input: Type.Object({
      with_projects: Type.Optional(Type.Boolean({ default: true })),
      statistics: optionalBoolean,
      render_html: optionalBoolean,
      ...withCustomAttributesInput,
      ...withAbilitiesInput,
    }),
    answer: GroupWithAbilitiesJson,
    async run(context) {
      const { subject: group, level, input, actor } = context
      const includesStatistics = input.statistics === true && isAdmin(actor)
      const includesProjects = input.with_projects ?? true
      const options = { includesProjects, includesStatistics }
      const items = [await describeGroup(context, { group, level }, options)]
      const isWanted = input.with_custom_attributes
      const [record] = await addCustomAttributesToRecords(context, 'group', { items, isWanted })
      return {
        ...record,
        ...(input.render_html && (await renderDescriptionHtml(group.description))),
        ...(input.with_abilities && (await resolveGroupAbilities(context, { group, level }))),
      }
    },
  }),

  endpoint({
    route: 'PUT /groups/:id',
    summary: 'Change a group',
    tag,
    on: groupLoader,
    allow: mayAdminGroup,
    transaction: 'none',
    body_bytes_max,
    input: Type.Object({
      name: optionalText,
      path: optionalText,
      description: Type.Optional(nullable(Type.String())),
      visibility: Type.Optional(visibility),
      ...changedSettingsInput,
      ...avatarInput,
    }),
    answer: GroupDetailJson,
    async run(context) {
      const { db, actor, subject, level, input } = context
      const { name, path, visibility: wanted } = input
      const description = input.description === null ? '' : input.description
      const settings = settingsOf(input, context)
      const own = { name, path, description, visibility: wanted, settings }
      const change = await storeUploadedAvatar(context, input.avatar)
      const group = await runTransaction(db, async (tx) => {
        const uses = { ...context, db: tx }
        // The lock keeps groups and projects below from being created or moved while their paths change.
        await lockAccessRecomputation(tx)
        const before = await getVisibleGroup(tx, actor, subject.id)
        const changed = await changeGroup(uses, before.group, own)
        const changes = changedFieldsWithValues(before.group, changed, auditedFields)
        if (Object.keys(changes).length > 0) {
          const entity = { kind: 'group', id: subject.id } as const
          await recordAuditEvent(uses, {
            action: 'group_changed',
            entity,
            details: { changes },
          })
        }
        return { ...changed, ...(await setAvatar(uses, subject.id, change)) }
      })
      return describeGroup(context, { group, level })
    },
  }),

  endpoint({
    route: 'DELETE /groups/:id',
    summary: 'Delete a group with everything in it',
    tag,
    on: groupLoader,
    allow: mayAdminGroup,
    status: 202,
    answer: MessageJson,
    async run(context) {
      const { db, clock, subject: group, request } = context
      checkIfUnmodifiedSince(request, group.updated_at)
      const entity = { kind: 'group', id: group.id } as const
      await recordAuditEvent(context, { action: 'group_removed', entity })
      await markGroupDeleted(db, group.id, { today: today(clock) })
      const payload = { group_id: group.id }
      await enqueue(db, clock, { task: removeGroupTask, key: String(group.id), payload })
      return acceptedAnswer()
    },
  }),
]
