import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { useAllPages } from '../../../api/use-api.ts'
import { protectionText as words } from '../../../text/settings.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { CheckField, TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Section } from '../../../ui/page/page.tsx'

export function DeployKeysSection({ id }: { id: number }) {
  const { data } = useAllPages('GET /projects/:id/deploy_keys', { id, per_page: 100 })
  const [made, setMade] = useState(0)
  const after = () => invalidate(`/api/v4/projects/${id}/deploy_keys`)
  const remove = (key_id: number, title: string) =>
    confirmBefore({
      title: words.removeKey(title),
      text: words.removeKeyText,
      action: words.removeKeyConfirm,
      run: async () => {
        await call('DELETE /projects/:id/deploy_keys/:key_id', { id, key_id })
        after()
      },
    })
  return (
    <Section id="deploy-keys" title={words.keys} lead={words.keysLead}>
      {data?.length === 0 ? <p>{words.noKeys}</p> : null}
      <List label={words.keys}>
        {data?.map((key) => (
          <ListRow
            key={key.id}
            aside={
              <>
                {key.can_push ? <Chip>{words.canPushChip}</Chip> : null}
                <Button look="quiet" onClick={() => remove(key.id, key.title)}>
                  {words.removeKeyShort}
                  <span class="only-spoken"> {key.title}</span>
                </Button>
              </>
            }
          >
            <strong>{key.title}</strong>
            <p class="muted mono one-line">{key.fingerprint_sha256}</p>
          </ListRow>
        ))}
      </List>
      <Form
        key={made}
        action={words.addKey}
        onSubmit={async (values) => {
          await call('POST /projects/:id/deploy_keys', {
            id,
            title: values.text('title'),
            key: values.text('key').trim(),
            can_push: values.has('can_push'),
          })
          after()
          setMade(made + 1)
        }}
      >
        <TextField label={words.title} name="title" required />
        <TextArea label={words.key} name="key" required spellcheck={false} />
        <CheckField label={words.canPush} name="can_push" />
      </Form>
    </Section>
  )
}

export function DeployTokensSection({ id }: { id: number }) {
  const { data } = useAllPages('GET /projects/:id/deploy_tokens', {
    id,
    active: true,
    per_page: 100,
  })
  const [made, setMade] = useState<{ username: string; token: string }>()
  const after = () => invalidate(`/api/v4/projects/${id}/deploy_tokens`)
  const revoke = (token_id: number, name: string) =>
    confirmBefore({
      title: words.revokeTitle(name),
      text: words.revokeText,
      action: words.revokeConfirm,
      run: async () => {
        await call('DELETE /projects/:id/deploy_tokens/:token_id', { id, token_id })
        after()
      },
    })
  return (
    <Section id="deploy-tokens" title={words.tokens} lead={words.tokensLead}>
      {made ? (
        <div class="stack stack-close">
          <p>
            {words.tokenCreated} <code>{made.username}</code>
          </p>
          <CopyLine label={words.tokenToCopy} text={made.token} />
        </div>
      ) : null}
      {data?.length === 0 ? <p>{words.noTokens}</p> : null}
      <List label={words.tokens}>
        {data?.map((token) => (
          <ListRow
            key={token.id}
            aside={
              <Button look="quiet" onClick={() => revoke(token.id, token.name)}>
                {words.revoke}
                <span class="only-spoken"> {token.name}</span>
              </Button>
            }
          >
            <strong>{token.name}</strong> <span class="muted mono">{token.username}</span>
          </ListRow>
        ))}
      </List>
      <Form
        key={made?.token ?? ''}
        action={words.addToken}
        onSubmit={async (values) => {
          const expires_at = values.text('expires_at')
          const token = await call('POST /projects/:id/deploy_tokens', {
            id,
            name: values.text('name'),
            scopes: ['read_repository'],
            ...(expires_at === '' ? {} : { expires_at }),
          })
          setMade(token)
          after()
        }}
      >
        <TextField label={words.tokenName} name="name" required />
        <TextField label={words.expiresAt} name="expires_at" type="date" />
      </Form>
    </Section>
  )
}
