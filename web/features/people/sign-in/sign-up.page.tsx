// Where people make an account of their own, if the instance lets them.
import { useState } from 'preact/hooks'
import { type Answer, call } from '../../../api/call.ts'
import { signIn } from '../../../api/session.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { signInText } from '../../../text/sign-in.ts'
import { signUpText as words } from '../../../text/sign-up.ts'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import './sign-in.css'

export const page: PageModule = {
  calls: () => [apiReadUrl('GET /user/registration', {})],
  View: SignUp,
}

type Account = Answer<'POST /user/registration'> & { email: string }

function SignUp() {
  const { data: rules } = useApi('GET /user/registration', {})
  const [account, setAccount] = useState<Account>()
  if (!rules) return null
  return (
    <div class="sign-in">
      <Page title={account ? words.doneTitle : words.title}>
        {account ? <NextSteps account={account} /> : null}
        {account || rules.enabled ? null : <p>{words.disabled}</p>}
        {!account && rules.enabled ? (
          <SignUpForm characters_min={rules.minimum_password_length} onDone={setAccount} />
        ) : null}
        <a href="/users/sign_in">{signInText.back}</a>
      </Page>
    </div>
  )
}

function SignUpForm({
  characters_min,
  onDone,
}: {
  characters_min: number
  onDone: (account: Account) => void
}) {
  return (
    <Form
      label={words.title}
      action={words.action}
      onSubmit={async (values) => {
        const given = {
          name: values.text('name'),
          username: values.text('username'),
          email: values.text('email'),
          password: values.text('password'),
        }
        const made = await call('POST /user/registration', given)
        if (made.state === 'active' && !made.requires_confirmation) {
          await signIn({ login: given.username, password: given.password })
          navigate('/', { replace: true })
        } else onDone({ ...made, email: given.email })
      }}
    >
      <TextField label={words.name} name="name" autocomplete="name" required autofocus />
      <TextField
        label={words.username}
        name="username"
        autocomplete="username"
        autocapitalize="none"
        required
      />
      <TextField label={words.email} name="email" type="email" autocomplete="email" required />
      <TextField
        label={words.password}
        hint={words.passwordHint(characters_min)}
        name="password"
        type="password"
        autocomplete="new-password"
        required
      />
    </Form>
  )
}

/** Shows what is left to do before the account can be used. */
function NextSteps({ account }: { account: Account }) {
  return (
    <div role="status" class="stack">
      {account.requires_confirmation ? <p>{words.confirm(account.email)}</p> : null}
      {account.state === 'active' ? null : <p>{words.approval}</p>}
    </div>
  )
}
