// Approving where the project asks for the password of whoever approves.
import { requests } from '../../../text/merge-requests.ts'
import { review as words } from '../../../text/review.ts'
import { ui } from '../../../text/ui.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import {
  approveRequest,
  isUnauthorized,
  type RequestId,
  type RequestRecord,
} from './request-calls.ts'

/** Approves, with the password from `PasswordField` if the form has one. Throws `Refusal`. */
export async function approveByForm(
  of: RequestId,
  request: RequestRecord,
  values: FormValues,
): Promise<void> {
  const password = values.text('approval_password')
  try {
    await approveRequest(of, request, password)
  } catch (error) {
    if (!isUnauthorized(error)) throw error
    throw error.saying(password === '' ? requests.mayNotApprove : words.wrongPassword)
  }
}

export function PasswordField({ isFirst = false }) {
  return (
    <TextField
      label={words.password}
      hint={words.passwordHint}
      name="approval_password"
      type="password"
      autocomplete="current-password"
      required
      autofocus={isFirst}
    />
  )
}

export function ApproveWithPassword({
  of,
  request,
  onClose,
}: {
  of: RequestId
  request: RequestRecord
  onClose: () => void
}) {
  return (
    <Dialog title={words.approveTitle} onClose={onClose}>
      <Form
        action={requests.approve}
        more={<Button onClick={onClose}>{ui.cancel}</Button>}
        onSubmit={async (values) => {
          await approveByForm(of, request, values)
          onClose()
        }}
      >
        <PasswordField isFirst />
      </Form>
    </Dialog>
  )
}
