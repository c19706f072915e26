// What can be done with a merge request that is merged, by those who may push.
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import type { ProjectRecord } from '../../../api/project.ts'
import { requests as words } from '../../../text/merge-requests.ts'
import { Button } from '../../../ui/button/button.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { invalidateRequest, type RequestId, type RequestRecord } from './request-calls.ts'

export function MergedActions({
  of,
  request,
  project,
  onOver,
}: {
  of: RequestId
  request: RequestRecord
  project: ProjectRecord | undefined
  onOver: (over: 'revert' | 'cherry_pick') => void
}) {
  const isOwnBranch =
    request.source_project_id === of.id && request.source_branch !== project?.default_branch
  const deleteSource = async () => {
    await call('DELETE /projects/:id/repository/branches/:branch', {
      id: of.id,
      branch: request.source_branch,
    })
    invalidate(`/api/v4/projects/${of.id}/repository`)
    invalidateRequest(of)
    showToast(words.sourceDeleted)
  }
  return (
    <>
      <Button onClick={() => onOver('revert')}>{words.revert}</Button>
      <Button onClick={() => onOver('cherry_pick')}>{words.cherryPick}</Button>
      {isOwnBranch &&
      !request.should_remove_source_branch &&
      !request.force_remove_source_branch ? (
        <Button onClick={() => void deleteSource()}>{words.deleteSource}</Button>
      ) : null}
    </>
  )
}
