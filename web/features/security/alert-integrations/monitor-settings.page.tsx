// Where monitoring tools send alerts of a project, and what follows these.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import type { AlertIntegration } from '../../../api/operations.ts'
import { mayInProject, useProject } from '../../../api/project.ts'
import { useApi } from '../../../api/use-api.ts'
import { alertIntegrations as words } from '../../../text/alert-integrations.ts'
import { ui } from '../../../text/ui.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { currentUrl, navigate } from '../../../ui/navigation.ts'
import { Section } from '../../../ui/page/page.tsx'
import { ProjectSettings } from '../../../ui/page/settings.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { showToast } from '../../../ui/toast/toast.tsx'
import { MappingForm } from './mapping-form.tsx'

const route = 'GET /projects/:id/alert_management/integrations'
const settingsRoute = 'GET /projects/:id/alert_management/settings'

const typeNames = new Map(words.types)
const nameOf = ({ name, type }: AlertIntegration) => name ?? typeNames.get(type) ?? type

export const page: PageModule<PlaceLocation> = {
  View: ({ at: { place } }) => (
    <ProjectSettings place={place} title={words.title} lead={words.lead}>
      <Integrations place={place} />
      <Settings id={place.id} />
    </ProjectSettings>
  ),
}

/** The frame shows its inside to maintainers alone; reads begin with that too. */
function useIsOffered(id: number): boolean {
  const { data: project } = useProject(id)
  return mayInProject(project, 'read_alert_integrations')
}

function Integrations({ place }: { place: Place }) {
  const { id } = place
  const [isAdding, setAdding] = useState(false)
  /** The integration whose key is told, once. */
  const [shown, setShown] = useState<AlertIntegration>()
  const isOffered = useIsOffered(id)
  const page_ = Number(currentUrl.value.searchParams.get('page') ?? 1)
  const { data, page: pages } = useApi(
    route,
    isOffered ? { id, per_page: 20, page: page_ } : undefined,
  )
  const { data: project } = useProject(id)
  const mayWrite = mayInProject(project, 'write_alert_integrations')
  const after = () => invalidate(`/api/v4/projects/${id}/alert_management/integrations`)
  return (
    <Section
      title={words.integrations}
      actions={
        mayWrite && !isAdding ? <Button onClick={() => setAdding(true)}>{words.add}</Button> : null
      }
    >
      {isAdding ? (
        <Form
          action={words.add}
          label={words.add}
          onSubmit={async (values) => {
            const made = await call('POST /projects/:id/alert_management/integrations', {
              id,
              type: values.text('type') as AlertIntegration['type'],
              name: values.text('name').trim() || null,
            })
            setAdding(false)
            setShown(made)
            after()
          }}
          more={<Button onClick={() => setAdding(false)}>{ui.cancel}</Button>}
        >
          <SelectField label={words.type} name="type" options={words.types} value="http" />
          <TextField label={words.name} name="name" maxLength={255} />
        </Form>
      ) : null}
      {shown ? <Key integration={shown} /> : null}
      {data?.length === 0 && !isAdding ? (
        <EmptyState title={words.empty}>
          <p>{words.emptyText}</p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.integrations}>
          {data.map((integration) => (
            <IntegrationRow
              key={integration.id}
              {...{ integration, place, mayWrite, after }}
              onKey={setShown}
            />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </Section>
  )
}

function Key({ integration }: { integration: AlertIntegration }) {
  return (
    <Section title={words.keyTitle(nameOf(integration))} lead={words.keyText}>
      <CopyLine label={words.key} text={integration.token} />
      <p>{words.authorization}</p>
      <CopyLine label={words.authorization} text={`Authorization: Bearer ${integration.token}`} />
    </Section>
  )
}

type RowProps = {
  integration: AlertIntegration
  place: Place
  mayWrite: boolean
  after: () => void
  onKey: (integration: AlertIntegration) => void
}

function IntegrationRow({ integration, place, mayWrite, after, onKey }: RowProps) {
  const { id: integration_id, active, url } = integration
  const [isRenaming, setRenaming] = useState(false)
  const [isMapping, setMapping] = useState(false)
  // The free tier has no mapping, and Alertmanager needs none.
  const canMap = integration.type === 'http' && integration.payload_attribute_mappings !== undefined
  const name = nameOf(integration)
  const of = { id: place.id, integration_id }
  const base = '/projects/:id/alert_management/integrations/:integration_id' as const
  const test = async () => {
    const [alert] = await call(`POST ${base}/test`, of)
    invalidate(`/api/v4/projects/${place.id}/alert_management_alerts`)
    if (!alert) return showToast(words.tested)
    navigate(`${placeBasePath(place)}/-/alert_management/${alert.iid}/details`)
    showToast(words.tested)
  }
  const change = async (changes: { active?: boolean; name?: string | null }) => {
    await call(`PUT ${base}`, { ...of, ...changes })
    after()
  }
  const reset = () =>
    confirmBefore({
      title: words.resetTitle(name),
      text: words.resetText,
      action: words.reset,
      run: async () => {
        onKey(await call(`POST ${base}/reset_token`, of))
        after()
      },
    })
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(name),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call(`DELETE ${base}`, of)
        after()
      },
    })
  return (
    <ListRow
      aside={
        mayWrite ? (
          <>
            <Button onClick={() => void test()}>
              {words.test}
              <span class="only-spoken"> {name}</span>
            </Button>
            <Menu
              look="quiet"
              label={words.menu(name)}
              items={[
                { words: words.edit, run: () => setRenaming(true) },
                canMap && { words: words.mapping, run: () => setMapping(true) },
                {
                  words: active ? words.deactivate : words.activate,
                  run: () => void change({ active: !active }),
                },
                { words: words.reset, run: reset },
                { words: words.remove, run: remove, isDanger: true },
              ]}
            >
              <span aria-hidden="true">{ui.signs.more}</span>
            </Menu>
          </>
        ) : null
      }
    >
      <div class="row">
        <strong>{name}</strong>
        <Chip>{typeNames.get(integration.type) ?? integration.type}</Chip>
        {active ? null : <Chip tone="warning">{words.inactive}</Chip>}
      </div>
      <CopyLine label={words.url} text={url} />
      {isMapping ? (
        <MappingForm
          id={place.id}
          integration={integration}
          onDone={() => {
            after()
            setMapping(false)
          }}
        />
      ) : null}
      {isRenaming ? (
        <Form
          isInline
          action={words.save}
          label={words.edit}
          onSubmit={async (values) => {
            await change({ name: values.text('name').trim() || null })
            setRenaming(false)
          }}
          more={<Button onClick={() => setRenaming(false)}>{ui.cancel}</Button>}
        >
          <TextField
            label={words.name}
            name="name"
            maxLength={255}
            defaultValue={integration.name ?? ''}
          />
        </Form>
      ) : null}
    </ListRow>
  )
}

function Settings({ id }: { id: number }) {
  const isOffered = useIsOffered(id)
  const { data } = useApi(settingsRoute, isOffered ? { id } : undefined)
  if (!data) return null
  return (
    <Section title={words.settings}>
      <Form
        action={words.save}
        label={words.settings}
        onSubmit={async (values) => {
          await call('PUT /projects/:id/alert_management/settings', {
            id,
            create_issue: values.has('create_issue'),
            auto_close_incident: values.has('auto_close_incident'),
            send_email: values.has('send_email'),
          })
          invalidate(`/api/v4/projects/${id}/alert_management/settings`)
          showToast(words.saved)
        }}
      >
        <CheckField
          label={words.createIssue}
          name="create_issue"
          defaultChecked={data.create_issue}
        />
        <CheckField
          label={words.autoClose}
          name="auto_close_incident"
          defaultChecked={data.auto_close_incident}
        />
        <CheckField label={words.sendEmail} name="send_email" defaultChecked={data.send_email} />
      </Form>
    </Section>
  )
}
