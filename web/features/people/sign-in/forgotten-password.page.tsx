import { useState } from 'preact/hooks'
import { call } from '../../../api/call.ts'
import { signInText } from '../../../text/sign-in.ts'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import './sign-in.css'

export const page: PageModule = { View: ForgottenPassword }

function ForgottenPassword() {
  const [isDone, setDone] = useState(false)
  return (
    <div class="sign-in">
      <Page title={signInText.resetTitle} lead={signInText.resetLead}>
        {isDone ? (
          <p role="status">{signInText.resetDone}</p>
        ) : (
          <Form
            action={signInText.resetAction}
            onSubmit={async (values) => {
              await call('POST /user/password_reset', { email: values.text('email') })
              setDone(true)
            }}
          >
            <TextField
              label={signInText.resetEmail}
              name="email"
              type="email"
              autocomplete="email"
              required
            />
          </Form>
        )}
        <a href="/users/sign_in">{signInText.back}</a>
      </Page>
    </div>
  )
}
