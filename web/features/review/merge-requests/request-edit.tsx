// Title, description and branches of a merge request.
import { call } from '../../../api/call.ts'
import { useProject } from '../../../api/project.ts'
import { projectTextContext } from '../../../surfaces/conversation/text-context.ts'
import { EditTexts } from '../../../surfaces/issuable/edit-texts.tsx'
import { requests as words } from '../../../text/merge-requests.ts'
import { Combobox } from '../../../ui/combobox/combobox.tsx'
import { branchFinder } from '../../../ui/combobox/finders.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField } from '../../../ui/field/field.tsx'
import { type RequestId, type RequestRecord, saveRequestChanges } from './request-calls.ts'

export function EditRequest({
  of,
  request,
  onClose,
}: {
  of: RequestId
  request: RequestRecord
  onClose: () => void
}) {
  const { data: project } = useProject(of.id)
  return (
    <Dialog isWide title={words.editTitle} onClose={onClose}>
      <EditTexts
        stored={request}
        draftKey={`merge_request:${request.id}:description`}
        within={projectTextContext(project, of.id)}
        read={() => call('GET /projects/:id/merge_requests/:merge_request_iid', of)}
        save={(texts, values) => {
          const target_branch = values.text('target_branch')
          return saveRequestChanges(of, {
            ...texts,
            remove_source_branch: values.has('remove_source_branch'),
            squash: values.has('squash'),
            ...(target_branch && target_branch !== request.target_branch ? { target_branch } : {}),
          })
        }}
        onDone={onClose}
      >
        <Combobox
          label={words.target}
          name="target_branch"
          chosen={{ value: request.target_branch, words: request.target_branch }}
          find={branchFinder(of.id)}
        />
        <CheckField
          label={words.removeSource}
          name="remove_source_branch"
          defaultChecked={request.force_remove_source_branch ?? false}
        />
        <CheckField
          label={words.squash}
          hint={words.squashHint}
          name="squash"
          defaultChecked={request.squash}
        />
      </EditTexts>
    </Dialog>
  )
}
