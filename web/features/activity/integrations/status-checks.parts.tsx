// External status checks of merge requests.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { useAllPages } from '../../../api/use-api.ts'
import { integrations as words } from '../../../text/integrations.ts'
import { ui } from '../../../text/ui.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

export function StatusChecks({ id }: { id: number }) {
  const { data } = useAllPages('GET /projects/:id/external_status_checks', { id, per_page: 100 })
  const [isAdding, setAdding] = useState(false)
  const after = () => invalidate(`/api/v4/projects/${id}/external_status_checks`)
  const remove = (check_id: number, name: string) =>
    confirmBefore({
      title: words.removeCheckTitle(name),
      text: words.removeCheckText,
      action: words.removeCheck,
      run: async () => {
        await call('DELETE /projects/:id/external_status_checks/:check_id', { id, check_id })
        after()
      },
    })
  return (
    <Section
      id="status-checks"
      title={words.checks}
      lead={words.checksLead}
      actions={isAdding ? null : <Button onClick={() => setAdding(true)}>{words.addCheck}</Button>}
    >
      {isAdding ? (
        <Form
          label={words.addCheck}
          action={words.addCheck}
          more={<Button onClick={() => setAdding(false)}>{ui.cancel}</Button>}
          onSubmit={async (values) => {
            const shared_secret = values.text('shared_secret')
            await call('POST /projects/:id/external_status_checks', {
              id,
              name: values.text('name').trim(),
              external_url: values.text('external_url').trim(),
              ...(shared_secret === '' ? {} : { shared_secret }),
            })
            setAdding(false)
            after()
            showToast(words.checkAdded)
          }}
        >
          <TextField label={words.name} name="name" maxLength={255} required />
          <TextField label={words.checkUrl} name="external_url" type="url" required />
          <TextField
            label={words.secret}
            hint={words.secretHint}
            name="shared_secret"
            type="password"
            autocomplete="off"
          />
        </Form>
      ) : null}
      {data?.length === 0 && !isAdding ? <p>{words.noChecks}</p> : null}
      {data && data.length > 0 ? (
        <List label={words.checks}>
          {data.map((check) => (
            <ListRow
              key={check.id}
              aside={
                <>
                  {check.hmac ? <Chip>{words.signed}</Chip> : null}
                  <Button look="quiet" onClick={() => remove(check.id, check.name)}>
                    {words.removeCheck}
                    <span class="only-spoken"> {check.name}</span>
                  </Button>
                </>
              }
            >
              <strong>{check.name}</strong>
              <p class="muted mono">{check.external_url}</p>
            </ListRow>
          ))}
        </List>
      ) : null}
    </Section>
  )
}
