// What is done with tags: a new one, one deleted.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { mayInProject, type ProjectRecord, useProject } from '../../../api/project.ts'
import { branchAndTagText } from '../../../text/refs.ts'
import { Button } from '../../../ui/button/button.tsx'
import { RefField } from '../../../ui/combobox/ref-field.tsx'
import { confirmBefore, Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import type { PlaceLocation } from '../../../ui/page-module.ts'

type Tag = Answer<'GET /projects/:id/repository/tags'>[number]

/** What stands above the list. */
export function TagActions({ at }: { at: PlaceLocation }) {
  const { data: project } = useProject(at.place.id)
  const [isNew, setNew] = useState(at.place.rest === 'new')
  if (!project || !mayInProject(project, 'push_code')) return null
  return (
    <>
      <Button look="primary" onClick={() => setNew(true)}>
        {branchAndTagText.newTag}
      </Button>
      {isNew ? (
        <NewTag project={project} asked={at.url.searchParams} onClose={() => setNew(false)} />
      ) : null}
    </>
  )
}

/** Deletes one, unless it is protected. */
export function RemoveTag({ projectId, tag }: { projectId: number; tag: Tag }) {
  const { data: project } = useProject(projectId)
  if (!project || !mayInProject(project, 'push_code') || tag.protected) return null
  return (
    <Button look="quiet" onClick={() => askToRemove(project, tag)}>
      {branchAndTagText.remove}
      <span class="only-spoken"> {tag.name}</span>
    </Button>
  )
}

const tagsUrl = ({ id }: ProjectRecord) => `/api/v4/projects/${id}/repository/tags`

function askToRemove(project: ProjectRecord, { name }: Tag): void {
  confirmBefore({
    title: branchAndTagText.removeTag(name),
    text: branchAndTagText.removeText,
    action: branchAndTagText.removeTagConfirm,
    run: async () => {
      await call('DELETE /projects/:id/repository/tags/:tag_name', {
        id: project.id,
        tag_name: name,
      })
      invalidate(tagsUrl(project))
    },
  })
}

function NewTag({
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
    <Dialog title={branchAndTagText.newTag} onClose={onClose}>
      <Form
        action={branchAndTagText.createTag}
        onSubmit={async (values) => {
          const message = values.text('message')
          const tag = { id: project.id, tag_name: values.text('tag_name'), ref: from }
          await call(
            'POST /projects/:id/repository/tags',
            message === '' ? tag : { ...tag, message },
          )
          invalidate(tagsUrl(project))
          onClose()
        }}
      >
        <TextField
          label={branchAndTagText.tagName}
          name="tag_name"
          value={asked.get('tag_name') ?? undefined}
          required
        />
        <RefField
          projectId={project.id}
          value={from}
          label={branchAndTagText.from}
          onPick={setFrom}
        />
        <TextArea
          label={branchAndTagText.message}
          hint={branchAndTagText.messageHint}
          name="message"
        />
      </Form>
    </Dialog>
  )
}
