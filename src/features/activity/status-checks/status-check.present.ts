import { type Static, Type } from 'typebox'
import { namedObject, oneOf } from '../../../http/schema.ts'
import { BasicMergeRequestJson } from '../../review/merge-requests/show-requests.ts'
import type { StatusCheck, StatusCheckStatus } from './status-check.store.ts'

export const StatusCheckJson = namedObject('ExternalStatusCheck', {
  id: Type.Integer(),
  name: Type.String(),
  project_id: Type.Integer(),
  external_url: Type.String(),
  hmac: Type.Boolean(),
  protected_branches: Type.Array(
    namedObject('StatusCheckBranch', {
      id: Type.Integer(),
      project_id: Type.Integer(),
      name: Type.String(),
      created_at: Type.String(),
      updated_at: Type.String(),
      code_owner_approval_required: Type.Boolean(),
    }),
  ),
})

export const statusCheckStatuses = ['pending', 'passed', 'failed'] as const
export const MergeRequestStatusCheckJson = namedObject('MergeRequestStatusCheck', {
  id: Type.Integer(),
  name: Type.String(),
  external_url: Type.String(),
  status: oneOf(statusCheckStatuses),
})

export const StatusCheckResponseJson = namedObject('StatusCheckResponse', {
  id: Type.Integer(),
  merge_request: BasicMergeRequestJson,
  external_status_check: StatusCheckJson,
})

export function presentStatusCheck(check: StatusCheck): Static<typeof StatusCheckJson> {
  const { id, name, project_id, external_url, shared_secret } = check
  const protected_branches = check.branches.map((branch) => ({
    ...branch,
    project_id,
    updated_at: branch.created_at,
  }))
  return { id, name, project_id, external_url, hmac: shared_secret !== null, protected_branches }
}

export function presentMergeRequestStatusCheck(
  { id, name, external_url }: StatusCheck,
  status: StatusCheckStatus = 'pending',
): Static<typeof MergeRequestStatusCheckJson> {
  return { id, name, external_url, status }
}
