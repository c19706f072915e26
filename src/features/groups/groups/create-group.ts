import { Level } from '../../../access/level.ts'
import { recomputeNamespaceAccess } from '../../../access/recompute-access.ts'
import type { Visibility } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp, today } from '../../../kernel/clock.ts'
import { type FieldErrors, invalid } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { newRegistrationToken } from '../../../kernel/secrets.ts'
import type { Group } from '../../../subjects/group.ts'
import {
  insertNamespace,
  type NamespaceSettings,
  type PathClaimant,
} from '../../basics/namespaces/namespace.ts'
import { insertMember } from '../../people/members/member.ts'
import { memberChangedEffect } from '../../people/members/member-changed.ts'
import { countAncestorGroups } from './group.store.ts'
import { groupChangedEffect } from './group-changed.ts'
import { failedToSaveGroupText, groupProblems } from './group-problems.ts'

export type NewGroup = {
  parent: Group | undefined
  name: string
  path: string
  description: string
  visibility: Visibility
  creator: PathClaimant
  settings: Partial<NamespaceSettings>
}

/**
 * Creates a group whose creator becomes its Owner. Throws 400 with one sentence if it is refused. Runs in the caller's
 * transaction, which has read the parent with the access lock.
 */
export async function createGroup(
  { db, clock, secretKey }: Pick<Instance, 'db' | 'clock' | 'secretKey'>,
  group: NewGroup,
): Promise<Group> {
  const { parent, creator, settings, name, path, description, visibility } = group
  const problems: FieldErrors = groupProblems(group)
  if (parent && (await countAncestorGroups(db, parent.id)) >= limits.namespace_depth) {
    problems.parent_id = ['has too deep level of nesting']
  }
  if (Object.keys(problems).length > 0) throw invalid(failedToSaveGroupText(problems))
  const now = timestamp(clock)
  const created = await insertNamespace(db, {
    ...settings,
    kind: 'group',
    owner_id: null,
    parent,
    name,
    path,
    description,
    visibility,
    ...newRegistrationToken(secretKey),
    now,
    claimant: creator,
  })
  if (!created) throw invalid(failedToSaveGroupText({ path: ['has already been taken'] }))
  await insertMember(db, {
    user_id: creator.id,
    namespace_id: created.id,
    access_level: Level.owner,
    created_by_id: creator.id,
    created_at: now,
  })
  await recomputeNamespaceAccess(db, [created.id], { today: today(clock) })
  await groupChangedEffect.run({ tx: db, clock, group_id: created.id, action: 'create' })
  const source = { kind: 'group', id: created.id } as const
  const owner = { user_id: creator.id, access_level: Level.owner, expires_at: null }
  await memberChangedEffect.run({ tx: db, clock, source, ...owner, action: 'added' })
  return created
}
