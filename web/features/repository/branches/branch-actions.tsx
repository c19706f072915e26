// What is done with branches: a new one, one deleted, all merged ones deleted.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { mayInProject, type ProjectRecord } from '../../../api/project.ts'
import { fetchAllPages } from '../../../api/use-api.ts'
import { branchAndTagText } from '../../../text/refs.ts'
import { Button } from '../../../ui/button/button.tsx'
import { RefField } from '../../../ui/combobox/ref-field.tsx'
import { confirmBefore, Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import type { PlaceLocation } from '../../../ui/page-module.ts'
import { showToast } from '../../../ui/toast/toast.tsx'

type Branch = Answer<'GET /projects/:id/repository/branches'>[number]

/** What stands above the list. */
export function BranchActions({
  at: { place, url },
  project,
}: {
  at: PlaceLocation
  project: ProjectRecord | undefined
}) {
  const [isNew, setNew] = useState(place.rest === 'new')
  if (!project || !mayInProject(project, 'push_code')) return null
  return (
    <>
      <Button onClick={() => void askToRemoveMerged(project)}>
        {branchAndTagText.removeMerged}
      </Button>
      <Button look="primary" onClick={() => setNew(true)}>
        {branchAndTagText.newBranch}
      </Button>
      {isNew ? (
        <NewBranch project={project} asked={url.searchParams} onClose={() => setNew(false)} />
      ) : null}
    </>
  )
}

/** Deletes one, where that is possible at all. */
export function RemoveBranch({
  project,
  branch,
}: {
  project: ProjectRecord | undefined
  branch: Branch
}) {
  if (!project || !mayInProject(project, 'push_code') || branch.default || branch.protected)
    return null
  return (
    <Button look="quiet" onClick={() => askToRemove(project, branch)}>
      {branchAndTagText.remove}
      <span class="only-spoken"> {branch.name}</span>
    </Button>
  )
}

const branchesUrl = ({ id }: ProjectRecord) => `/api/v4/projects/${id}/repository/branches`

function askToRemove(project: ProjectRecord, { name, commit }: Branch): void {
  confirmBefore({
    title: branchAndTagText.removeBranch(name),
    text: branchAndTagText.removeText,
    action: branchAndTagText.removeBranchConfirm,
    run: async () => {
      await call('DELETE /projects/:id/repository/branches/:branch', {
        id: project.id,
        branch: name,
      })
      invalidate(branchesUrl(project))
      showToast(branchAndTagText.removed(name), {
        undo: () => {
          const again = { id: project.id, branch: name, ref: commit.id }
          void call('POST /projects/:id/repository/branches', again).then(() =>
            invalidate(branchesUrl(project)),
          )
        },
      })
    },
  })
}

/** Names them first. */
async function askToRemoveMerged(project: ProjectRecord): Promise<void> {
  const all = await fetchAllPages('GET /projects/:id/repository/branches', { id: project.id })
  const merged = all.filter((branch) => branch.merged && !branch.default && !branch.protected)
  if (merged.length === 0) return showToast(branchAndTagText.removeMergedNone)
  confirmBefore({
    title: branchAndTagText.removeMergedTitle,
    text: branchAndTagText.removeMergedText(merged.map(({ name }) => name).join(', ')),
    action: branchAndTagText.removeMerged,
    run: async () => {
      await call('DELETE /projects/:id/repository/merged_branches', { id: project.id })
      invalidate(branchesUrl(project))
    },
  })
}

function NewBranch({
  project,
  asked,
  onClose,
}: {
  project: ProjectRecord
  /** What the address fills in, as links of other programs do. */
  asked: URLSearchParams
  onClose: () => void
}) {
  const [from, setFrom] = useState(asked.get('ref') ?? project.default_branch ?? '')
  return (
    <Dialog title={branchAndTagText.newBranch} onClose={onClose}>
      <Form
        action={branchAndTagText.createBranch}
        onSubmit={async (values) => {
          await call('POST /projects/:id/repository/branches', {
            id: project.id,
            branch: values.text('branch'),
            ref: from,
          })
          invalidate(branchesUrl(project))
          onClose()
        }}
      >
        <TextField
          label={branchAndTagText.branchName}
          name="branch"
          value={asked.get('branch_name') ?? undefined}
          required
        />
        <RefField
          projectId={project.id}
          value={from}
          label={branchAndTagText.from}
          onPick={setFrom}
        />
      </Form>
    </Dialog>
  )
}
