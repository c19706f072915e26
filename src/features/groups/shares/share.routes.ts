import { Type } from 'typebox'
import { memberLevels } from '../../../access/level.ts'
import {
  lockAccessRecomputation,
  recomputeNamespaceAccess,
  recomputeProjectAccess,
} from '../../../access/recompute-access.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { date, nullable, nullableText, oneOfNumbers } from '../../../http/schema.ts'
import { timestamp, today } from '../../../kernel/clock.ts'
import { conflict, invalid, notFound, notFoundWithoutCode } from '../../../kernel/errors.ts'
import { findGroup, groupLoader } from '../../../subjects/group.ts'
import { projectLoader } from '../../../subjects/project.ts'
import {
  type AuditEntity,
  type AuditSource,
  recordAuditEvent,
} from '../../basics/audit-events/audit-event.ts'
import { isDayBeforeToday } from '../../people/members/change-member.ts'
import { describeGroup, GroupDetailJson } from '../groups/describe-group.ts'
import { mayShareGroup, mayShareProject } from './share.policy.ts'
import {
  deleteGroupShare,
  deleteProjectShare,
  findGroupShare,
  findGroupSharingRules,
  findProjectShare,
  type GroupShare,
  type GroupSharingRules,
  insertGroupShare,
  insertProjectShare,
} from './share.store.ts'

const ofGroups = endpointFactory({ tag: 'Shares', on: groupLoader })
const ofProjects = endpointFactory({ tag: 'Shares', on: projectLoader })

const shareInput = Type.Object({
  group_id: Type.Integer(),
  group_access: oneOfNumbers(memberLevels),
  expires_at: Type.Optional(nullable(date())),
})
type ShareInput = { group_id: number; group_access: number; expires_at?: string | null }

const linkInput = Type.Object({ group_id: Type.Integer() })

/** Locks the recomputation of access. Throws 404 if the caller cannot see the group to invite. */
async function loadInvited({ db, actor, input }: Context<unknown, ShareInput>): Promise<void> {
  await lockAccessRecomputation(db)
  const found = await findGroup(db, actor, { id: input.group_id })
  if (!found?.isVisible) throw notFoundWithoutCode()
}

/** Callers may not grant a level above their own. */
const mayGive = ({ level, input }: Context<unknown, ShareInput>): boolean =>
  input.group_access <= level

/** Checks that the hierarchy allows the group to be invited. */
async function checkHierarchy(
  { db, input }: Context<unknown, ShareInput>,
  namespaceId: number,
): Promise<GroupSharingRules> {
  const rules = await findGroupSharingRules(db, namespaceId, input.group_id)
  if (rules.isOutside) throw notFoundWithoutCode()
  return rules
}

function newShare({ clock, input }: Context<{ id: number }, ShareInput>, source_id: number) {
  const { group_id, group_access, expires_at = null } = input
  if (isDayBeforeToday(expires_at, clock))
    throw invalid({ expires_at: ['cannot be a date in the past'] })
  return {
    source_id,
    shared_with_id: group_id,
    access_level: group_access,
    expires_at,
    created_at: timestamp(clock),
  }
}

async function recordShareEvent(
  context: AuditSource,
  action: 'share_added' | 'share_removed',
  { source, share }: { source: AuditEntity; share: GroupShare },
): Promise<void> {
  const { shared_with_id, access_level, expires_at } = share
  await recordAuditEvent(context, {
    action,
    entity: source,
    target: { kind: 'group', id: shared_with_id },
    details: { access_level, expires_at },
  })
}

export const shareEndpoints = [
  ofGroups({
    route: 'POST /groups/:id/share',
    summary: 'Invite a group to a group',
    allow: mayShareGroup,
    input: shareInput,
    status: 201,
    answer: GroupDetailJson,
    load: loadInvited,
    authorize: mayGive,
    async run(context) {
      const { db, clock, subject: group, level, input } = context
      await checkHierarchy(context, group.id)
      if (input.group_id === group.id) {
        throw invalid({ shared_with_group_id: ['cannot be the group itself'] })
      }
      const share = await insertGroupShare(db, newShare(context, group.id))
      if (!share) throw conflict('Shared group The group has already been shared with this group')
      const source = { kind: 'group', id: group.id } as const
      await recordShareEvent(context, 'share_added', { source, share })
      await recomputeNamespaceAccess(db, [group.id], { today: today(clock) })
      return describeGroup(context, { group, level })
    },
  }),

  ofGroups({
    route: 'DELETE /groups/:id/share/:group_id',
    summary: 'Remove an invited group from a group',
    allow: mayShareGroup,
    input: linkInput,
    status: 204,
    async run(context) {
      const { db, clock, subject: group, input, request } = context
      const pair = { source_id: group.id, shared_with_id: input.group_id }
      await lockAccessRecomputation(db)
      const share = await findGroupShare(db, pair)
      if (!share) throw notFound('Group Link')
      checkIfUnmodifiedSince(request, share.created_at)
      await deleteGroupShare(db, share.id)
      const source = { kind: 'group', id: group.id } as const
      await recordShareEvent(context, 'share_removed', { source, share })
      await recomputeNamespaceAccess(db, [group.id], { today: today(clock) })
    },
  }),

  ofProjects({
    route: 'POST /projects/:id/share',
    summary: 'Invite a group to a project',
    allow: mayShareProject,
    input: shareInput,
    status: 201,
    answer: Type.Object({
      id: Type.Integer(),
      project_id: Type.Integer(),
      group_id: Type.Integer(),
      group_access: Type.Integer(),
      expires_at: nullableText,
    }),
    load: loadInvited,
    authorize: mayGive,
    async run(context) {
      const { db, clock, subject: project } = context
      const { isLocked, isAbove } = await checkHierarchy(context, project.namespace_id)
      if (isLocked) throw invalid('The project sharing with group is disabled')
      if (isAbove) {
        throw conflict('Project cannot be shared with the group it is in or one of its ancestors.')
      }
      const share = await insertProjectShare(db, newShare(context, project.id))
      if (!share) throw conflict('Group already shared with this group')
      const source = { kind: 'project', id: project.id } as const
      await recordShareEvent(context, 'share_added', { source, share })
      await recomputeProjectAccess(db, [project.id], { today: today(clock) })
      const { id, shared_with_id: group_id, access_level: group_access, expires_at } = share
      return { id, project_id: project.id, group_id, group_access, expires_at }
    },
  }),

  ofProjects({
    route: 'DELETE /projects/:id/share/:group_id',
    summary: 'Remove an invited group from a project',
    allow: mayShareProject,
    input: linkInput,
    status: 204,
    async load({ db, subject: project, input }) {
      await lockAccessRecomputation(db)
      const pair = { source_id: project.id, shared_with_id: input.group_id }
      const share = await findProjectShare(db, pair)
      if (!share) throw notFound('Group Link')
      return share
    },
    authorize: ({ level, loaded: share }) => share.access_level <= level,
    async run(context) {
      const { db, clock, subject: project, request, loaded: share } = context
      checkIfUnmodifiedSince(request, share.created_at)
      await deleteProjectShare(db, share.id)
      const source = { kind: 'project', id: project.id } as const
      await recordShareEvent(context, 'share_removed', { source, share })
      await recomputeProjectAccess(db, [project.id], { today: today(clock) })
    },
  }),
]
