// Programs that sign users in by this server, for administrators.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { applicationText as words } from '../../../text/applications.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { confirmThen, Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField, TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form, type Values } from '../../../ui/form/form.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { currentUrl } from '../../../ui/navigation.ts'
import { AdminPage } from '../../../ui/page/admin.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

type Application = Answer<'GET /applications'>[number]
type WithSecret = Answer<'POST /applications'>

const inputOf = (url: URL) => ({ per_page: 50, page: Number(url.searchParams.get('page') ?? 1) })

export const page: PageModule = {
  calls: ({ url }) => [apiReadUrl('GET /applications', inputOf(url))],
  View: ApplicationList,
}

const after = () => invalidate('/api/v4/applications')

function ApplicationList() {
  const {
    data,
    page: pages,
    refusal,
    again,
  } = useApi('GET /applications', inputOf(currentUrl.value))
  const [isNew, setNew] = useState(false)
  const [made, setMade] = useState<WithSecret>()
  return (
    <AdminPage
      title={words.title}
      lead={words.lead}
      actions={
        <Button look="primary" onClick={() => setNew(true)}>
          {words.new}
        </Button>
      }
    >
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={words.empty}>
          <p>{words.emptyText}</p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.list}>
          {data.map((application) => (
            <ApplicationRow key={application.id} application={application} onSecret={setMade} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
      {isNew ? (
        <NewApplication
          onClose={() => setNew(false)}
          onMade={(application) => {
            setNew(false)
            setMade(application)
          }}
        />
      ) : null}
      {made ? <Secret of={made} onClose={() => setMade(undefined)} /> : null}
    </AdminPage>
  )
}

function ApplicationRow({
  application,
  onSecret,
}: {
  application: Application
  onSecret: (made: WithSecret) => void
}) {
  const { id, application_id, application_name: name, callback_url, confidential } = application
  const renew = () =>
    confirmThen({
      title: words.renewTitle(name),
      text: words.renewText,
      action: words.renew,
      run: async () => onSecret(await call('POST /applications/:id/renew-secret', { id })),
    })
  const remove = () =>
    confirmThen({
      title: words.removeTitle(name),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call('DELETE /applications/:id', { id })
        after()
        showToast(words.removed(name))
      },
    })
  return (
    <Row
      aside={
        <>
          {confidential ? null : <Chip>{words.public}</Chip>}
          <Menu
            look="quiet"
            label={words.menu(name)}
            items={[
              { words: words.renew, run: renew },
              { words: words.remove, run: remove, isDanger: true },
            ]}
          >
            {words.menuSign}
          </Menu>
        </>
      }
    >
      <strong>{name}</strong>
      <p class="muted mono">{callback_url}</p>
      <CopyLine label={words.id} text={application_id} />
    </Row>
  )
}

function NewApplication({
  onClose,
  onMade,
}: {
  onClose: () => void
  onMade: (made: WithSecret) => void
}) {
  const create = async (values: Values) => {
    const made = await call('POST /applications', {
      name: values.text('name'),
      redirect_uri: values.text('redirect_uri'),
      scopes: values.all('scopes'),
      confidential: values.has('confidential'),
      trusted: values.has('trusted'),
    })
    after()
    onMade(made)
  }
  return (
    <Dialog title={words.new} onClose={onClose}>
      <Form action={words.create} onSubmit={create}>
        <TextField label={words.name} name="name" required />
        <TextArea
          label={words.redirect}
          hint={words.redirectHint}
          name="redirect_uri"
          required
          rows={2}
          spellcheck={false}
        />
        <fieldset class="stack stack-close">
          <legend class="field-label">{words.scopes}</legend>
          {Object.entries(words.scopeNames).map(([scope, name]) => (
            <CheckField
              key={scope}
              name="scopes"
              value={scope}
              label={name}
              hint={scope}
              defaultChecked={scope === 'openid'}
            />
          ))}
        </fieldset>
        <CheckField
          label={words.confidential}
          hint={words.confidentialHint}
          name="confidential"
          defaultChecked
        />
        <CheckField label={words.trusted} hint={words.trustedHint} name="trusted" />
      </Form>
    </Dialog>
  )
}

function Secret({ of, onClose }: { of: WithSecret; onClose: () => void }) {
  return (
    <Dialog title={of.application_name} onClose={onClose}>
      <div class="stack stack-close">
        <p>{words.secretText}</p>
        <p class="field-label">{words.idLabel}</p>
        <CopyLine label={words.id} text={of.application_id} />
        <p class="field-label">{words.secretLabel}</p>
        <CopyLine label={words.secret} text={of.secret} />
      </div>
    </Dialog>
  )
}
