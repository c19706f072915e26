// Moves a group with everything below it to another group, or to the top level.

import {
  lockAccessRecomputation,
  recomputeNamespaceAccess,
} from '../../../access/recompute-access.ts'
import type { Context } from '../../../http/endpoint.ts'
import { timestamp, today } from '../../../kernel/clock.ts'
import { ApiError, invalid, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { pathProblems } from '../../../kernel/names.ts'
import { findGroup, type Group } from '../../../subjects/group.ts'
import { findUser } from '../../../subjects/user.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { moveNamespace } from '../../basics/namespaces/move-namespace.ts'
import { hasGroupDirectOwner, upsertOwnerMembership } from '../../people/members/member.ts'
import { mayCreateSubgroup, mayCreateTopLevelGroup } from './group.policy.ts'
import { countAncestorGroups, updateGroup } from './group.store.ts'
import {
  findGroupSubtreeDepth,
  isGroupWithin,
  lowerVisibilityWithinGroup,
  replaceAncestorsOfGroup,
} from './transfer-group.store.ts'

type Caller = Pick<Context<unknown, unknown>, 'db' | 'clock' | 'actor' | 'user' | 'request'>
type Parent = { group: Group; level: number }

/**
 * Moves a group under another one or to the top level, in the caller's transaction. All full paths below change, and the old
 * ones are redirected. Nothing in it stays more visible than the new parent, and access is recomputed. The number of
 * statements does not depend on the size of the group.
 */
export async function transferGroup(
  caller: Caller,
  groupId: number,
  parentId: number | undefined,
): Promise<Group> {
  const { db, clock } = caller
  // Loaded again under the lock, since either may have been moved in the meantime.
  await lockAccessRecomputation(db)
  const { group } = await getSeen(caller, groupId)
  const parent = parentId === undefined ? undefined : await getSeen(caller, parentId)
  await checkTransfer(caller, group, parent)
  await rebase(caller, group, parent?.group)
  await replaceAncestorsOfGroup(db, group.id, parent?.group.id)
  if (parent) await lowerVisibilityWithinGroup(db, group.id, parent.group.visibility)
  const parent_id = parent?.group.id ?? null
  await updateGroup(db, group.id, { parent_id, updated_at: timestamp(clock) })
  if (!parent) await ensureOwner(caller, group.id)
  await recomputeNamespaceAccess(db, [group.id], { today: today(clock) })
  const moved = (await getSeen(caller, group.id)).group
  await recordAuditEvent(caller, {
    action: 'group_transferred',
    entity: { kind: 'group', id: group.id },
    details: { changes: { full_path: { from: group.full_path, to: moved.full_path } } },
  })
  return moved
}

async function getSeen({ db, actor }: Caller, id: number): Promise<Parent> {
  const found = await findGroup(db, actor, { id })
  if (!found?.isVisible) throw notFound('Group')
  return found
}

/** Checks the transfer in the order and with the messages of the real product. */
async function checkTransfer(
  caller: Caller,
  group: Group,
  parent: Parent | undefined,
): Promise<void> {
  const { db, actor, user } = caller
  if (!parent && group.parent_id === null) throw failed('Group is already a root group.')
  if (parent && parent.group.id === group.parent_id) {
    throw failed('Group is already associated to the parent group.')
  }
  if (!parent) {
    const account = await findUser(db, user.id)
    if (!account || !mayCreateTopLevelGroup(user, account)) throw failed(noPermission)
    // More paths are reserved at the top level than below.
    const [problem] = pathProblems(group.path, { kind: 'group', isTopLevel: true })
    if (problem !== undefined) throw failed(`Path ${problem}`)
    return
  }
  if (await isGroupWithin(db, parent.group.id, group.id)) {
    throw failed('Cannot transfer group to one of its subgroup.')
  }
  const { group: subject, level } = parent
  if (!mayCreateSubgroup({ subject, level, actor })) throw failed(noPermission)
  const depth =
    (await countAncestorGroups(db, subject.id)) + 1 + (await findGroupSubtreeDepth(db, group.id))
  if (depth > limits.namespace_depth) throw failed('Parent has too deep level of nesting')
}

const noPermission = "You don't have enough permissions."

function failed(text: string): ApiError {
  return invalid(`Transfer failed: ${text}`)
}

async function rebase(
  { db, user }: Caller,
  group: Group,
  parent: Group | undefined,
): Promise<void> {
  const { path, name } = group
  try {
    await moveNamespace(db, group, { path, name, parent: parent ?? null, claimant: user })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw failed('The parent group already has a subgroup or a project with the same path.')
  }
}

/** Makes the caller an Owner of a group that became top-level if all of its Owners were inherited. */
async function ensureOwner({ db, clock, user }: Caller, id: number): Promise<void> {
  if (await hasGroupDirectOwner(db, id, { today: today(clock) })) return
  const now = timestamp(clock)
  await upsertOwnerMembership(db, {
    namespace_id: id,
    user_id: user.id,
    created_by_id: user.id,
    now,
  })
}
