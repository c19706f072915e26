// Title, dates and description of a milestone, new or changed.
import { useState } from 'preact/hooks'
import type { Milestone } from '../../../api/operations.ts'
import { useProject } from '../../../api/project.ts'
import { LazyCommentBox } from '../../../surfaces/conversation/lazy-comment-box.ts'
import { projectTextContext } from '../../../surfaces/conversation/text-context.ts'
import { milestones as words } from '../../../text/milestones.ts'
import { ui } from '../../../text/ui.ts'
import { Button } from '../../../ui/button/button.tsx'
import { TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import type { Place } from '../../../ui/page-module.ts'

export type MilestoneTexts = {
  title: string
  description: string
  start_date: string | null
  due_date: string | null
}

export function MilestoneForm({
  place,
  milestone,
  onSave,
  onCancel,
}: {
  place: Place
  milestone?: Milestone
  /** Throws `Refusal`. */
  onSave: (texts: MilestoneTexts) => Promise<unknown>
  onCancel: () => void
}) {
  const isProject = place.kind === 'project'
  const { data: project } = useProject(place.id, { isAsked: isProject })
  const [description, setDescription] = useState(milestone?.description ?? '')
  const [title, setTitle] = useState(milestone?.title ?? '')
  return (
    <Form
      action={milestone ? words.save : words.create}
      label={milestone ? words.edit : words.new}
      onSubmit={(values) =>
        onSave({
          title,
          description,
          start_date: values.text('start_date') || null,
          due_date: values.text('due_date') || null,
        })
      }
      more={<Button onClick={onCancel}>{ui.cancel}</Button>}
    >
      <TextField
        label={words.titleField}
        name="title"
        required
        maxLength={255}
        value={title}
        onInput={(event) => setTitle(event.currentTarget.value)}
      />
      <TextField
        label={words.startDate}
        name="start_date"
        type="date"
        defaultValue={milestone?.start_date ?? ''}
      />
      <TextField
        label={words.dueDate}
        name="due_date"
        type="date"
        defaultValue={milestone?.due_date ?? ''}
      />
      {isProject ? (
        <LazyCommentBox
          label={words.description}
          name="description"
          isLabelHidden={false}
          within={projectTextContext(project, place.id)}
          value={description}
          onChange={setDescription}
          rows={8}
        />
      ) : (
        <TextArea
          label={words.description}
          name="description"
          rows={8}
          value={description}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
      )}
    </Form>
  )
}
