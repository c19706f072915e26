// Name and password, then a code if the account requires one. The form keeps the password until then.
import { useState } from 'preact/hooks'
import { Refusal } from '../../../api/refusal.ts'
import { signIn } from '../../../api/session.ts'
import { signInText } from '../../../text/sign-in.ts'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'

export function SignInForm({ login = '', onDone }: { login?: string; onDone: () => void }) {
  const [proven, setProven] = useState<{ login: string; password: string }>()
  return (
    <Form
      key={proven ? 'code' : 'password'}
      label={signInText.title}
      action={signInText.signIn}
      more={proven ? null : <a href="/users/password/new">{signInText.forgotten}</a>}
      onSubmit={async (values) => {
        const given = proven ?? { login: values.text('login'), password: values.text('password') }
        try {
          await signIn(proven ? { ...given, otp: values.text('otp') } : given)
          onDone()
        } catch (error) {
          if (!(error instanceof Refusal) || error.status !== 401) throw error
          if (isCodeWanted(error) && !proven) setProven(given)
          else throw error.saying(proven ? signInText.wrongCode : signInText.wrongPassword)
        }
      }}
    >
      {proven ? (
        <TextField
          label={signInText.code}
          hint={signInText.codeHint}
          name="otp"
          autocomplete="one-time-code"
          maxLength={32}
          required
          autofocus
        />
      ) : (
        <>
          <TextField
            label={signInText.login}
            name="login"
            autocomplete="username"
            autocapitalize="none"
            defaultValue={login}
            required
            autofocus={login === ''}
          />
          <TextField
            label={signInText.password}
            name="password"
            type="password"
            autocomplete="current-password"
            required
          />
        </>
      )}
    </Form>
  )
}

function isCodeWanted({ body }: Refusal): boolean {
  return (body as { error?: unknown } | null)?.error === 'otp_required'
}
