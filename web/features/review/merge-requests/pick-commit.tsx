// What a merge request merged, taken back or brought to another branch; on a branch of its own where that is wanted.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { requests as words } from '../../../text/merge-requests.ts'
import { pickCommit } from '../../../text/pick-commit.ts'
import { Combobox } from '../../../ui/combobox/combobox.tsx'
import { branchFinder } from '../../../ui/combobox/finders.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { navigate } from '../../../ui/navigation.ts'
import type { RequestId, RequestRecord } from './request-calls.ts'

export function PickCommit({
  of,
  request,
  base,
  kind,
  onClose,
}: {
  of: RequestId
  request: RequestRecord
  base: string
  kind: 'revert' | 'cherry_pick'
  onClose: () => void
}) {
  const [target, setTarget] = useState(request.target_branch)
  const sha = request.merge_commit_sha ?? request.squash_commit_sha ?? request.sha ?? ''
  const title = kind === 'revert' ? pickCommit.revertTitle : pickCommit.cherryPickTitle
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        action={kind === 'revert' ? words.revert : words.cherryPick}
        onSubmit={async (values) => {
          const isOnOwnBranch = values.has('own')
          const branch = isOnOwnBranch ? `${kind.replace('_', '-')}-${sha.slice(0, 8)}` : target
          if (isOnOwnBranch) {
            await call('POST /projects/:id/repository/branches', { id: of.id, branch, ref: target })
          }
          await call(
            kind === 'revert'
              ? 'POST /projects/:id/repository/commits/:sha/revert'
              : 'POST /projects/:id/repository/commits/:sha/cherry_pick',
            { id: of.id, sha, branch },
          )
          invalidate(`/api/v4/projects/${of.id}/repository`)
          const from = `merge_request[source_branch]=${encodeURIComponent(branch)}`
          const into = `merge_request[target_branch]=${encodeURIComponent(target)}`
          navigate(
            isOnOwnBranch
              ? `${base}/-/merge_requests/new?${from}&${into}`
              : `${base}/-/commits/${encodeURIComponent(branch)}`,
          )
        }}
      >
        <Combobox
          label={pickCommit.intoBranch}
          chosen={{ value: target, words: target }}
          find={branchFinder(of.id)}
          onChoose={({ value }) => setTarget(value)}
        />
        <CheckField label={pickCommit.newRequestFromIt} name="own" defaultChecked />
      </Form>
    </Dialog>
  )
}
