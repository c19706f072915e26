import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call, type Input } from '../../../api/call.ts'
import { mayInProject, useProject } from '../../../api/project.ts'
import { useAllPages } from '../../../api/use-api.ts'
import { tokens } from '../../../text/own-settings.ts'
import { settingsText } from '../../../text/places.ts'
import { levelNames, roles } from '../../../text/roles.ts'
import { projectTokenText as words } from '../../../text/settings.ts'
import { Button } from '../../../ui/button/button.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/field/field.tsx'
import { suggestedExpiry } from '../../../ui/field/suggested-expiry.ts'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { ProjectSettings } from '../../../ui/page/settings.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'

type Making = Input<'POST /projects/:id/access_tokens'>

const inputOf = (id: number) => ({ id, per_page: 100 })

const scopes = ['read_api', 'read_repository', 'write_repository', 'api'] as const

export const page: PageModule<PlaceLocation> = { View: ProjectTokens }

function ProjectTokens({ at: { place } }: { at: PlaceLocation }) {
  const { id } = place
  const { data: project } = useProject(id)
  const mayChange = mayInProject(project, 'change_project')
  const { data } = useAllPages(
    'GET /projects/:id/access_tokens',
    mayChange ? inputOf(id) : undefined,
  )
  const [made, setMade] = useState('')
  const after = () => invalidate(`/api/v4/projects/${id}/access_tokens`)
  const revoke = (token_id: number, name: string) =>
    confirmBefore({
      title: tokens.revokeTitle(name),
      text: tokens.revokeText,
      action: tokens.revokeConfirm,
      run: async () => {
        await call('DELETE /projects/:id/access_tokens/:token_id', { id, token_id })
        after()
      },
    })
  return (
    <ProjectSettings place={place} title={settingsText.accessTokens} lead={words.lead}>
      {made === '' ? null : (
        <Section title={words.newToken} lead={words.newTokenText}>
          <CopyLine label={tokens.tokenToCopy} text={made} />
        </Section>
      )}
      {data?.length === 0 ? <p>{words.empty}</p> : null}
      <List label={settingsText.accessTokens}>
        {data?.map((token) => (
          <ListRow
            key={token.id}
            aside={
              <>
                <span>{levelNames[token.access_level]}</span>
                <Button look="quiet" onClick={() => revoke(token.id, token.name)}>
                  {tokens.revoke}
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
      <Form
        key={made}
        action={words.add}
        onSubmit={async (values) => {
          const token = await call('POST /projects/:id/access_tokens', {
            id,
            name: values.text('name'),
            scopes: values.all('scopes') as Making['scopes'],
            access_level: Number(values.text('access_level')) as 30,
            expires_at: values.text('expires_at') || null,
          })
          setMade(token.token)
          after()
        }}
      >
        <TextField label={words.name} name="name" required />
        <SelectField
          label={words.role}
          name="access_level"
          options={roles.slice(0, 4)}
          value="30"
        />
        <TextField
          label={words.expiresAt}
          hint={tokens.expiresHint}
          name="expires_at"
          type="date"
          defaultValue={suggestedExpiry()}
        />
        <fieldset class="stack stack-close">
          <legend class="field-label">{words.scopes}</legend>
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
    </ProjectSettings>
  )
}
