// Tokens with which an administrator acts as a user.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { useAllPages } from '../../../api/use-api.ts'
import { tokens } from '../../../text/own-settings.ts'
import { userAccess as words } from '../../../text/user-access.ts'
import { Button } from '../../../ui/button/button.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { confirmBefore, Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField, TextField } from '../../../ui/field/field.tsx'
import { suggestedExpiry } from '../../../ui/field/suggested-expiry.ts'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Section } from '../../../ui/page/page.tsx'

const scopes = ['read_user', 'read_api', 'api'] as const

export function ImpersonationTokens({ id }: { id: number }) {
  const { data } = useAllPages('GET /users/:user_id/impersonation_tokens', {
    user_id: id,
    state: 'active',
    per_page: 100,
  })
  const [isNew, setNew] = useState(false)
  const after = () => invalidate(`/api/v4/users/${id}/impersonation_tokens`)
  const revoke = (impersonation_token_id: number, name: string) =>
    confirmBefore({
      title: words.revokeTokenTitle(name),
      text: words.revokeTokenText,
      action: words.revokeToken,
      run: async () => {
        await call('DELETE /users/:user_id/impersonation_tokens/:impersonation_token_id', {
          user_id: id,
          impersonation_token_id,
        })
        after()
      },
    })
  return (
    <Section
      title={words.impersonation}
      lead={words.impersonationLead}
      actions={<Button onClick={() => setNew(true)}>{words.addToken}</Button>}
    >
      {data?.length === 0 ? <p class="muted">{words.noTokens}</p> : null}
      {data && data.length > 0 ? (
        <List label={words.impersonation}>
          {data.map((token) => (
            <ListRow
              key={token.id}
              aside={
                <>
                  {token.expires_at ? <span>{words.tokenExpiresOn(token.expires_at)}</span> : null}
                  <Button look="quiet" onClick={() => revoke(token.id, token.name)}>
                    {words.revokeToken}
                    <span class="only-spoken"> {token.name}</span>
                  </Button>
                </>
              }
            >
              <strong>{token.name}</strong>
              <p class="muted mono">{token.scopes.join(', ')}</p>
            </ListRow>
          ))}
        </List>
      ) : null}
      {isNew ? <NewToken id={id} onMade={after} onClose={() => setNew(false)} /> : null}
    </Section>
  )
}

function NewToken({
  id,
  onMade,
  onClose,
}: {
  id: number
  onMade: () => void
  onClose: () => void
}) {
  const [made, setMade] = useState('')
  const create = async (values: FormValues) => {
    const token = await call('POST /users/:user_id/impersonation_tokens', {
      user_id: id,
      name: values.text('name'),
      scopes: values.all('scopes'),
      expires_at: values.text('expires_at') || null,
    })
    onMade()
    setMade(token.token)
  }
  return (
    <Dialog title={words.addToken} onClose={onClose}>
      {made === '' ? (
        <Form action={words.createToken} onSubmit={create}>
          <TextField label={words.tokenName} name="name" required />
          <TextField
            label={words.tokenExpires}
            hint={words.tokenExpiresHint}
            name="expires_at"
            type="date"
            defaultValue={suggestedExpiry()}
          />
          <fieldset class="stack stack-close">
            <legend class="field-label">{words.tokenScopes}</legend>
            {scopes.map((scope) => (
              <CheckField
                key={scope}
                name="scopes"
                value={scope}
                label={tokens.scopeNames[scope] ?? scope}
                hint={scope}
                defaultChecked={scope === 'read_api'}
              />
            ))}
          </fieldset>
        </Form>
      ) : (
        <div class="stack stack-close">
          <p>{words.newTokenText}</p>
          <CopyLine label={words.tokenToCopy} text={made} />
        </div>
      )}
    </Dialog>
  )
}
