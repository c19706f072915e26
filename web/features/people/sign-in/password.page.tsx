import { useState } from 'preact/hooks'
import { call } from '../../../api/call.ts'
import { findSession, user } from '../../../api/session.ts'
import { password } from '../../../text/own-settings.ts'
import { ownSettingsPlaces } from '../../../text/places.ts'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { OwnSettings } from '../../../ui/page/own-settings.tsx'
import type { PageModule } from '../../../ui/page-module.ts'

export const page: PageModule = { View: Password }

function Password() {
  const [changed, setChanged] = useState(0)
  return (
    <OwnSettings
      title={ownSettingsPlaces.password}
      lead={user.value?.password_expired ? password.expired : ''}
    >
      {changed > 0 ? <p role="status">{password.changed}</p> : null}
      <Form
        key={changed}
        action={password.change}
        onSubmit={async (values) => {
          await call('PUT /user/password', {
            current_password: values.text('current_password'),
            password: values.text('password'),
          })
          await findSession()
          setChanged(changed + 1)
        }}
      >
        <TextField
          label={password.currentPassword}
          name="current_password"
          type="password"
          autocomplete="current-password"
          required
        />
        <TextField
          label={password.newPassword}
          hint={password.newPasswordHint}
          name="password"
          type="password"
          autocomplete="new-password"
          minLength={8}
          maxLength={128}
          required
        />
      </Form>
    </OwnSettings>
  )
}
