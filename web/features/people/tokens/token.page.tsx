import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call, type Input } from '../../../api/call.ts'
import { isAdministrator, user } from '../../../api/session.ts'
import { apiReadUrl, useAllPages } from '../../../api/use-api.ts'
import { localMidnight } from '../../../text/numbers.ts'
import { tokens } from '../../../text/own-settings.ts'
import { ownSettingsPlaces } from '../../../text/places.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { CheckField, TextField } from '../../../ui/field/field.tsx'
import { suggestedExpiry } from '../../../ui/field/suggested-expiry.ts'
import { Form } from '../../../ui/form/form.tsx'
import { useFieldProblem } from '../../../ui/form/form-refusal-context.ts'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { OwnSettings } from '../../../ui/page/own-settings.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'

type Token = Answer<'GET /personal_access_tokens'>[number]
type Scopes = Input<'POST /user/personal_access_tokens'>['scopes']

const tokensUrl = '/api/v4/personal_access_tokens'
const inputOf = () => ({ user_id: user.value?.id ?? 0, state: 'active' as const, per_page: 100 })

export const page: PageModule = {
  calls: () => [apiReadUrl('GET /personal_access_tokens', inputOf())],
  View: Tokens,
}

function Tokens() {
  const { data, refusal, again } = useAllPages('GET /personal_access_tokens', inputOf())
  const [made, setMade] = useState('')
  return (
    <OwnSettings title={ownSettingsPlaces.tokens} lead={tokens.lead}>
      {made === '' ? null : (
        <Section title={tokens.newToken} lead={tokens.newTokenText}>
          <CopyLine label={tokens.tokenToCopy} text={made} />
        </Section>
      )}
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? <EmptyState title={tokens.empty} /> : null}
      {data && data.length > 0 ? (
        <List label={tokens.list}>
          {data.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </List>
      ) : null}
      <Section title={tokens.addTitle}>
        <MakeToken onMade={setMade} />
      </Section>
    </OwnSettings>
  )
}

function TokenRow({ token }: { token: Token }) {
  return (
    <ListRow
      aside={
        <>
          {token.expires_at ? (
            <span>{tokens.expiresOn(localMidnight(token.expires_at))}</span>
          ) : null}
          <span>
            {token.last_used_at ? (
              <>
                {tokens.lastUsed} <Time at={token.last_used_at} />
              </>
            ) : (
              tokens.neverUsed
            )}
          </span>
          <Button look="quiet" onClick={() => askToRevoke(token)}>
            {tokens.revoke}
            <span class="only-spoken"> {token.name}</span>
          </Button>
        </>
      }
    >
      <strong>{token.name}</strong>
      <p class="muted mono">{token.scopes.join(', ')}</p>
    </ListRow>
  )
}

function askToRevoke({ id, name }: Token): void {
  confirmBefore({
    title: tokens.revokeTitle(name),
    text: tokens.revokeText,
    action: tokens.revokeConfirm,
    run: async () => {
      await call('DELETE /personal_access_tokens/:id', { id })
      invalidate(tokensUrl)
    },
  })
}

function MakeToken({ onMade }: { onMade: (token: string) => void }) {
  const [made, setMade] = useState(0)
  return (
    <Form
      key={made}
      action={tokens.add}
      onSubmit={async (values) => {
        const token = await call('POST /user/personal_access_tokens', {
          name: values.text('name'),
          scopes: values.all('scopes') as Scopes,
          ...(values.text('expires_at') === '' ? {} : { expires_at: values.text('expires_at') }),
        })
        invalidate(tokensUrl)
        onMade(token.token)
        setMade(made + 1)
        scrollTo(0, 0)
      }}
    >
      <TextField label={tokens.name} hint={tokens.nameHint} name="name" required />
      <TextField
        label={tokens.expires}
        hint={tokens.expiresHint}
        name="expires_at"
        type="date"
        defaultValue={suggestedExpiry()}
      />
      <fieldset class="stack stack-close">
        <legend class="field-label">{tokens.scopes}</legend>
        {Object.entries(tokens.scopeNames).map(([scope, words]) =>
          scope === 'sudo' && !isAdministrator() ? null : (
            <CheckField
              key={scope}
              name="scopes"
              value={scope}
              label={words}
              hint={scope}
              defaultChecked={scope === 'read_api'}
            />
          ),
        )}
        <NoScope />
      </fieldset>
    </Form>
  )
}

function NoScope() {
  return useFieldProblem('scopes') ? <p class="field-problem">{tokens.scopeRequired}</p> : null
}
