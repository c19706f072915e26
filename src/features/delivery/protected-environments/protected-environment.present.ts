import { type Static, Type } from 'typebox'
import { namedObject, nullableInteger } from '../../../http/schema.ts'
import { describeProtectionEntry } from '../../repository/protected-branches/describe-protection-entry.ts'
import type {
  EnvironmentProtectionEntry,
  ProtectedEnvironment,
} from './protected-environment.store.ts'

const entryFields = {
  id: Type.Integer(),
  access_level: nullableInteger,
  access_level_description: Type.String(),
  user_id: nullableInteger,
  group_id: nullableInteger,
  group_inheritance_type: Type.Integer(),
}

export const ProtectedEnvironmentJson = namedObject('ProtectedEnvironment', {
  name: Type.String(),
  deploy_access_levels: Type.Array(namedObject('DeployAccessLevel', entryFields)),
  required_approval_count: Type.Integer(),
  approval_rules: Type.Array(
    namedObject('ApprovalRule', { ...entryFields, required_approvals: Type.Integer() }),
  ),
})

export function presentProtectedEnvironment({
  name,
  required_approval_count,
  entries,
}: ProtectedEnvironment): Static<typeof ProtectedEnvironmentJson> {
  return {
    name,
    deploy_access_levels: entries.filter(({ action }) => action === 'deploy').map(presentEntry),
    required_approval_count,
    approval_rules: entries
      .filter(({ action }) => action === 'approve')
      .map((entry) => ({ ...presentEntry(entry), required_approvals: entry.required_approvals })),
  }
}

function presentEntry(entry: EnvironmentProtectionEntry) {
  const { id, access_level, user_id, group_id, group_inheritance_type } = entry
  return {
    id,
    access_level,
    access_level_description: describeProtectionEntry(entry),
    user_id,
    group_id,
    group_inheritance_type,
  }
}
