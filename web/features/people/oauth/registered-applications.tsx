// The list of registered applications with their actions: for the instance, and for the user's own.
import { useState } from 'preact/hooks'
import { applicationText as words } from '../../../text/applications.ts'
import { Chip } from '../../../ui/chip/chip.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { confirmBefore, Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField, TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

export type RegisteredApplication = {
  id: number
  application_id: string
  application_name: string
  callback_url: string
  confidential: boolean
  /** Set if the application can be changed. */
  scopes?: readonly string[]
}
type WithSecret = Pick<RegisteredApplication, 'application_id' | 'application_name'> & {
  secret: string
}
type Fields = { name: string; redirect_uri: string; scopes: string[]; confidential: boolean }

/** The operations of the API. Each also reloads the list. */
export type ApplicationCalls = {
  create: (fields: Fields & { trusted: boolean }) => Promise<WithSecret>
  change?: (id: number, fields: Fields) => Promise<unknown>
  renew: (id: number) => Promise<WithSecret>
  remove: (id: number) => Promise<unknown>
}

export function RegisteredApplications({
  label,
  applications,
  calls,
  isNew,
  hasTrusted = false,
  onNewClose,
}: {
  label: string
  applications: readonly RegisteredApplication[]
  calls: ApplicationCalls
  /** Whether the form for a new application is open. */
  isNew: boolean
  /** Whether the form has the option that users are not asked for consent. */
  hasTrusted?: boolean
  onNewClose: () => void
}) {
  const [edited, setEdited] = useState<RegisteredApplication>()
  const [made, setMade] = useState<WithSecret>()
  const { create, change } = calls
  return (
    <>
      {applications.length > 0 ? (
        <List label={label}>
          {applications.map((application) => (
            <ApplicationRow
              key={application.id}
              application={application}
              calls={calls}
              onEdit={() => setEdited(application)}
              onSecret={setMade}
            />
          ))}
        </List>
      ) : null}
      {isNew ? (
        <Dialog title={words.new} onClose={onNewClose}>
          <Form
            action={words.create}
            onSubmit={async (values) => {
              const trusted = values.has('trusted')
              setMade(await create({ ...readFields(values), trusted }))
              onNewClose()
            }}
          >
            <ApplicationFields />
            {hasTrusted ? (
              <CheckField label={words.trusted} hint={words.trustedHint} name="trusted" />
            ) : null}
          </Form>
        </Dialog>
      ) : null}
      {edited && change ? (
        <Dialog
          title={words.editTitle(edited.application_name)}
          onClose={() => setEdited(undefined)}
        >
          <Form
            action={words.save}
            onSubmit={async (values) => {
              await change(edited.id, readFields(values))
              setEdited(undefined)
            }}
          >
            <ApplicationFields application={edited} />
          </Form>
        </Dialog>
      ) : null}
      {made ? <Secret of={made} onClose={() => setMade(undefined)} /> : null}
    </>
  )
}

function ApplicationRow({
  application,
  calls,
  onEdit,
  onSecret,
}: {
  application: RegisteredApplication
  calls: ApplicationCalls
  onEdit: () => void
  onSecret: (made: WithSecret) => void
}) {
  const { id, application_id, application_name: name, callback_url, confidential } = application
  const renew = () =>
    confirmBefore({
      title: words.renewTitle(name),
      text: words.renewText,
      action: words.renew,
      run: async () => onSecret(await calls.renew(id)),
    })
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(name),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await calls.remove(id)
        showToast(words.removed(name))
      },
    })
  return (
    <ListRow
      aside={
        <>
          {confidential ? null : <Chip>{words.public}</Chip>}
          <Menu
            look="quiet"
            label={words.menu(name)}
            items={[
              ...(calls.change ? [{ words: words.edit, run: onEdit }] : []),
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
    </ListRow>
  )
}

/** The fields of the form, with the values of the application to change. */
function ApplicationFields({ application }: { application?: RegisteredApplication }) {
  const chosen = application?.scopes ?? ['openid']
  return (
    <>
      <TextField
        label={words.name}
        name="name"
        required
        defaultValue={application?.application_name}
      />
      <TextArea
        label={words.redirect}
        hint={words.redirectHint}
        name="redirect_uri"
        required
        rows={2}
        spellcheck={false}
        defaultValue={application?.callback_url}
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
            defaultChecked={chosen.includes(scope)}
          />
        ))}
      </fieldset>
      <CheckField
        label={words.confidential}
        hint={words.confidentialHint}
        name="confidential"
        defaultChecked={application?.confidential ?? true}
      />
    </>
  )
}

function readFields(values: FormValues): Fields {
  return {
    name: values.text('name'),
    redirect_uri: values.text('redirect_uri'),
    scopes: values.all('scopes'),
    confidential: values.has('confidential'),
  }
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
