import { type Static, Type } from 'typebox'
import {
  namedObject,
  nullableBoolean,
  nullableInteger,
  nullableText,
  oneOf,
  optionalInteger,
} from '../../../http/schema.ts'
import { avatarUrl } from '../../../subjects/avatar-url.ts'
import type { Group } from '../../../subjects/group.ts'
import { customAttributesField } from '../../basics/custom-attributes/custom-attribute.ts'
import type { GroupSizes } from './group.store.ts'

export const GroupStatisticsJson = namedObject('GroupStatistics', {
  storage_size: Type.Integer(),
  repository_size: Type.Integer(),
  wiki_size: Type.Integer(),
  lfs_objects_size: Type.Integer(),
  job_artifacts_size: Type.Integer(),
  pipeline_artifacts_size: Type.Integer(),
  packages_size: Type.Integer(),
  snippets_size: Type.Integer(),
  uploads_size: Type.Integer(),
})

export const GroupJson = namedObject('Group', {
  id: Type.Integer(),
  web_url: Type.String(),
  name: Type.String(),
  path: Type.String(),
  description: Type.String(),
  visibility: oneOf(['private', 'internal', 'public']),
  share_with_group_lock: Type.Boolean(),
  require_two_factor_authentication: Type.Boolean(),
  two_factor_grace_period: Type.Integer(),
  project_creation_level: oneOf(['noone', 'owner', 'maintainer', 'developer']),
  auto_devops_enabled: nullableBoolean,
  subgroup_creation_level: oneOf(['owner', 'maintainer']),
  emails_disabled: nullableBoolean,
  mentions_disabled: nullableBoolean,
  lfs_enabled: Type.Boolean(),
  default_branch_protection: Type.Integer(),
  avatar_url: nullableText,
  request_access_enabled: Type.Boolean(),
  full_name: Type.String(),
  full_path: Type.String(),
  created_at: Type.String(),
  parent_id: nullableInteger,
  file_template_project_id: optionalInteger,
  statistics: Type.Optional(GroupStatisticsJson),
  ...customAttributesField,
})

/** Presents a group in lists, with its fields in the order that clients know (docs/api/groups.md, "Records"). */
export function presentGroup(
  group: Group,
  view: {
    baseUrl: string
    sizes?: GroupSizes
    /** Set only if the caller can see the project. */
    file_template_project_id?: number
  },
): Static<typeof GroupJson> {
  const { baseUrl, sizes, file_template_project_id } = view
  return {
    id: group.id,
    web_url: `${baseUrl}/groups/${group.full_path}`,
    name: group.name,
    path: group.path,
    description: group.description,
    visibility: group.visibility,
    share_with_group_lock: group.share_with_group_lock,
    require_two_factor_authentication: group.require_two_factor_authentication,
    two_factor_grace_period: group.two_factor_grace_period,
    project_creation_level: group.project_creation_level,
    auto_devops_enabled: group.auto_devops_enabled,
    subgroup_creation_level: group.subgroup_creation_level,
    emails_disabled: group.emails_disabled,
    mentions_disabled: group.mentions_disabled,
    lfs_enabled: group.lfs_enabled,
    default_branch_protection: group.default_branch_protection,
    avatar_url: avatarUrl(baseUrl, { kind: 'group', id: group.id, avatar: group.avatar }),
    request_access_enabled: group.request_access_enabled,
    full_name: group.full_name,
    full_path: group.full_path,
    created_at: group.created_at,
    parent_id: group.parent_id,
    ...(file_template_project_id === undefined ? {} : { file_template_project_id }),
    ...(sizes === undefined ? {} : { statistics: presentStatistics(sizes) }),
  }
}

/** The sizes of a group without projects. */
export const zeroGroupSizes: GroupSizes = {
  repository_size: 0,
  lfs_objects_size: 0,
  job_artifacts_size: 0,
  wiki_size: 0,
}

/** Other sizes are always 0. They are included because clients add all sizes up. */
function presentStatistics({
  repository_size,
  lfs_objects_size,
  job_artifacts_size,
  wiki_size,
}: GroupSizes): Static<typeof GroupStatisticsJson> {
  return {
    storage_size: repository_size + wiki_size + lfs_objects_size + job_artifacts_size,
    repository_size,
    wiki_size,
    lfs_objects_size,
    job_artifacts_size,
    pipeline_artifacts_size: 0,
    packages_size: 0,
    snippets_size: 0,
    uploads_size: 0,
  }
}
