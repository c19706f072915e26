// An issue moved to another project, or copied to one.
import { call } from '../../../api/call.ts'
import { issues as words } from '../../../text/issues.ts'
import { Combobox } from '../../../ui/combobox/combobox.tsx'
import { findOwnProjects } from '../../../ui/combobox/finders.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { pathnameOf } from '../../../ui/project-address.ts'
import { type IssueId, invalidateIssue } from './issue-calls.ts'

type Props = { of: IssueId; onClose: () => void }

export function MoveIssue({ of, onClose }: Props) {
  return (
    <Dialog title={words.move} onClose={onClose}>
      <Form
        action={words.move}
        onSubmit={async (values) => {
          const moved = await call('POST /projects/:id/issues/:issue_iid/move', {
            ...of,
            to_project_id: Number(values.text('to_project_id')),
          })
          invalidateIssue(of)
          navigate(pathnameOf(moved.web_url))
        }}
      >
        <p>{words.moveText}</p>
        <Combobox label={words.moveTo} name="to_project_id" required find={findOwnProjects} />
      </Form>
    </Dialog>
  )
}

export function CopyIssue({ of, onClose }: Props) {
  return (
    <Dialog title={words.clone} onClose={onClose}>
      <Form
        action={words.clone}
        onSubmit={async (values) => {
          const copy = await call('POST /projects/:id/issues/:issue_iid/clone', {
            ...of,
            to_project_id: Number(values.text('to_project_id')),
            with_notes: values.has('with_notes'),
          })
          invalidateIssue(of)
          navigate(pathnameOf(copy.web_url))
        }}
      >
        <p>{words.cloneText}</p>
        <Combobox label={words.cloneTo} name="to_project_id" required find={findOwnProjects} />
        <CheckField label={words.withComments} name="with_notes" />
      </Form>
    </Dialog>
  )
}
