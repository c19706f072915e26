import { type Static, Type } from 'typebox'
import { namedObject, nullableText } from '../../../http/schema.ts'
import { ProjectIdentityJson, presentProjectIdentity } from '../../../subjects/project-identity.ts'
import type { SshKey } from '../../people/ssh-keys/ssh-key.ts'
import type { EnabledDeployKey, ProjectOfDeployKey } from './deploy-key.store.ts'

const fields = {
  id: Type.Integer(),
  title: Type.String(),
  created_at: Type.String(),
  expires_at: nullableText,
  key: Type.String(),
  fingerprint: Type.String(),
  fingerprint_sha256: Type.String(),
}

/** A deploy key as administrators list it. */
export const DeployKeyJson = namedObject('DeployKey', {
  ...fields,
  public: Type.Boolean(),
  projects_with_write_access: Type.Array(ProjectIdentityJson),
  projects_with_readonly_access: Type.Array(ProjectIdentityJson),
})

/** A deploy key within a project. */
export const EnabledDeployKeyJson = namedObject('EnabledKey', {
  ...fields,
  can_push: Type.Boolean(),
})

function presentFields(key: SshKey) {
  return {
    id: key.id,
    title: key.title,
    created_at: key.created_at,
    expires_at: key.expires_at,
    key: key.key,
    fingerprint: key.fingerprint,
    fingerprint_sha256: `SHA256:${key.fingerprint_sha256}`,
  }
}

/**
 * Presents a deploy key. `projects` are those in which it is enabled; at most `limits.deploy_key_projects_max` of each kind
 * are listed.
 */
export function presentDeployKey(
  key: SshKey,
  projects: readonly ProjectOfDeployKey[],
): Static<typeof DeployKeyJson> {
  const present = (can_push: boolean) =>
    projects
      .filter((project) => project.can_push === can_push)
      .map((project) =>
        presentProjectIdentity(project, {
          full_path: project.namespace_full_path,
          full_name: project.namespace_full_name,
        }),
      )
  return {
    ...presentFields(key),
    public: key.is_public,
    projects_with_write_access: present(true),
    projects_with_readonly_access: present(false),
  }
}

export function presentEnabledDeployKey(
  key: EnabledDeployKey,
): Static<typeof EnabledDeployKeyJson> {
  return { ...presentFields(key), can_push: key.can_push }
}
