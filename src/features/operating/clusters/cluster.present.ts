import { type Static, Type } from 'typebox'
import { addMemberAliases } from '../../../http/brand.ts'
import { namedObject, nullable, nullableText } from '../../../http/schema.ts'
import { GroupLinkJson } from '../../../subjects/group-summary.ts'
import { ProjectIdentityJson, presentProjectIdentity } from '../../../subjects/project-identity.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import type { Cluster, ClusterRecord } from './cluster.store.ts'

const PlatformJson = namedObject('ClusterPlatform', {
  api_url: Type.String(),
  namespace: nullableText,
  authorization_type: Type.String(),
  ca_cert: nullableText,
})

const listedFields = {
  id: Type.Integer(),
  name: Type.String(),
  created_at: Type.String(),
  domain: nullableText,
  enabled: Type.Boolean(),
  managed: Type.Boolean(),
  namespace_per_environment: Type.Boolean(),
  provider_type: Type.String(),
  platform_type: Type.String(),
  environment_scope: Type.String(),
  cluster_type: Type.String(),
  user: nullable(BasicUserJson),
  platform_orchestrator: PlatformJson,
  provider_cloud: Type.Null(),
  management_project: nullable(ProjectIdentityJson),
}

export const ListedClusterJson = namedObject('ListedCluster', listedFields, {
  additionalProperties: true,
})

/** A single cluster also names its project or group. */
export const ClusterJson = namedObject(
  'Cluster',
  {
    ...listedFields,
    project: Type.Optional(Type.Object({}, { additionalProperties: true })),
    group: Type.Optional(GroupLinkJson),
  },
  { additionalProperties: true },
)

/** Presents a cluster without its token. */
export function presentCluster(
  row: ClusterRecord,
  baseUrl: string,
): Static<typeof ListedClusterJson> {
  const { api_url, namespace, authorization_type, ca_cert } = row
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at,
    domain: row.domain,
    enabled: row.enabled,
    managed: row.managed,
    namespace_per_environment: row.namespace_per_environment,
    provider_type: 'user',
    platform_type: 'kubernetes',
    environment_scope: row.environment_scope,
    cluster_type: typeOf(row),
    user: presentAdder(row, baseUrl),
    ...addMemberAliases({
      platform_orchestrator: { api_url, namespace, authorization_type, ca_cert },
      provider_cloud: null,
    }),
    management_project: presentManaging(row),
  }
}

function typeOf({ project_id, namespace_id }: Cluster): string {
  if (project_id !== null) return 'project_type'
  return namespace_id === null ? 'instance_type' : 'group_type'
}

function presentAdder(row: ClusterRecord, baseUrl: string): Static<typeof BasicUserJson> | null {
  const { user_id: id, adder_username, adder_name, adder_state, adder_avatar } = row
  if (id === null || adder_username === null || adder_name === null || adder_state === null) {
    return null
  }
  const adder = { id, username: adder_username, name: adder_name, state: adder_state }
  return presentBasicUser({ ...adder, avatar: adder_avatar }, baseUrl)
}

function presentManaging(row: ClusterRecord): Static<typeof ProjectIdentityJson> | null {
  const { management_project_id: id, managing_name: name, managing_path: path } = row
  const { managing_created_at: created_at } = row
  if (id === null || name === null || path === null || created_at === null) return null
  return presentProjectIdentity(
    { id, description: row.managing_description, name, path, created_at },
    { full_path: row.above_full_path ?? '', full_name: row.above_full_name ?? '' },
  )
}
