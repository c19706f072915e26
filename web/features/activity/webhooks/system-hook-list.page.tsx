// System hooks of the instance with their deliveries.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { systemHookText as words } from '../../../text/system-hooks.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { confirmBefore, Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField, TextField } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { currentUrl } from '../../../ui/navigation.ts'
import { AdminPage } from '../../../ui/page/admin.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import './system-hook.css'

type Hook = Answer<'GET /hooks'>[number]
type Delivery = Answer<'GET /hooks/:hook_id/events'>[number]
type EventName = keyof typeof words.eventNames

const eventNames = Object.keys(words.eventNames) as EventName[]
const inputOf = (url: URL) => ({ per_page: 50, page: Number(url.searchParams.get('page') ?? 1) })

export const page: PageModule = {
  calls: ({ url }) => [apiReadUrl('GET /hooks', inputOf(url))],
  View: SystemHookList,
}

const after = () => invalidate('/api/v4/hooks')

/** The open dialog: the form of a hook (undefined for a new one), or the deliveries of a hook. */
type Over = { form: Hook | undefined } | { deliveries: Hook }

function SystemHookList() {
  const { data, page: pages, refusal, again } = useApi('GET /hooks', inputOf(currentUrl.value))
  const [over, setOver] = useState<Over>()
  const close = () => setOver(undefined)
  return (
    <AdminPage
      title={words.title}
      lead={words.lead}
      actions={
        <Button look="primary" onClick={() => setOver({ form: undefined })}>
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
          {data.map((hook) => (
            <HookRow key={hook.id} hook={hook} onOpen={setOver} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
      {over && 'form' in over ? <HookForm hook={over.form} onClose={close} /> : null}
      {over && 'deliveries' in over ? <Deliveries hook={over.deliveries} onClose={close} /> : null}
    </AdminPage>
  )
}

function HookRow({ hook, onOpen }: { hook: Hook; onOpen: (over: Over) => void }) {
  const { id: hook_id, url, enable_ssl_verification } = hook
  const events = eventNames.filter((name) => hook[name]).map((name) => words.eventNames[name])
  const test = async () => {
    await call('POST /hooks/:hook_id', { hook_id })
    showToast(words.tested)
  }
  const remove = () =>
    confirmBefore({
      title: words.removeTitle,
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call('DELETE /hooks/:hook_id', { hook_id })
        after()
        showToast(words.removed)
      },
    })
  return (
    <ListRow
      aside={
        <>
          {enable_ssl_verification ? null : <Chip tone="warning">{words.noSsl}</Chip>}
          <Button look="quiet" onClick={() => onOpen({ deliveries: hook })}>
            {words.deliveries}
            <span class="only-spoken"> {url}</span>
          </Button>
          <Menu
            look="quiet"
            label={words.menu(url)}
            items={[
              { words: words.test, run: () => void test() },
              { words: words.edit, run: () => onOpen({ form: hook }) },
              { words: words.remove, run: remove, isDanger: true },
            ]}
          >
            {words.menuSign}
          </Menu>
        </>
      }
    >
      <strong class="mono">{url}</strong>
      {events.length > 0 ? <p class="muted">{events.join(', ')}</p> : null}
    </ListRow>
  )
}

function HookForm({ hook, onClose }: { hook: Hook | undefined; onClose: () => void }) {
  const save = async (values: FormValues) => {
    const token = values.text('token')
    const events = Object.fromEntries(eventNames.map((name) => [name, values.has(name)]))
    const given = {
      url: values.text('url'),
      enable_ssl_verification: values.has('enable_ssl_verification'),
      ...events,
      ...(token === '' ? {} : { token }),
    }
    if (hook) await call('PUT /hooks/:hook_id', { hook_id: hook.id, ...given })
    else await call('POST /hooks', given)
    after()
    showToast(words.saved)
    onClose()
  }
  return (
    <Dialog title={hook ? words.edit : words.new} onClose={onClose}>
      <Form action={hook ? words.save : words.create} onSubmit={save}>
        <TextField
          label={words.url}
          name="url"
          type="url"
          required
          defaultValue={hook?.url ?? ''}
        />
        <TextField
          label={words.token}
          hint={hook ? `${words.tokenHint} ${words.tokenKept}` : words.tokenHint}
          name="token"
          type="password"
          autocomplete="off"
        />
        <fieldset class="stack stack-close">
          <legend class="field-label">{words.events}</legend>
          <p class="field-hint">{words.eventsHint}</p>
          {eventNames.map((name) => (
            <CheckField
              key={name}
              name={name}
              label={words.eventNames[name]}
              defaultChecked={hook?.[name] ?? name === 'repository_update_events'}
            />
          ))}
        </fieldset>
        <CheckField
          label={words.ssl}
          name="enable_ssl_verification"
          defaultChecked={hook?.enable_ssl_verification ?? true}
        />
      </Form>
    </Dialog>
  )
}

function Deliveries({ hook, onClose }: { hook: Hook; onClose: () => void }) {
  const { data, refusal, again } = useApi('GET /hooks/:hook_id/events', {
    hook_id: hook.id,
    per_page: 20,
  })
  return (
    <Dialog title={words.deliveriesOf(hook.url)} onClose={onClose} isWide>
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data?.length === 0 ? <p>{words.noDeliveries}</p> : null}
      {data && data.length > 0 ? (
        <List label={words.deliveries}>
          {data.map((delivery) => (
            <DeliveryRow key={delivery.id} hook={hook} delivery={delivery} onSent={again} />
          ))}
        </List>
      ) : null}
    </Dialog>
  )
}

function DeliveryRow({
  hook,
  delivery,
  onSent,
}: {
  hook: Hook
  delivery: Delivery
  onSent: () => void
}) {
  const { id, trigger, response_status, execution_duration, request_data, response_body } = delivery
  const isGood = /^[23]\d\d$/.test(response_status)
  const resend = async () => {
    await call('POST /hooks/:hook_id/events/:hook_event_id/resend', {
      hook_id: hook.id,
      hook_event_id: id,
    })
    onSent()
    showToast(words.resent)
  }
  return (
    <ListRow
      aside={
        <>
          <span>{words.took(execution_duration)}</span>
          <Button look="quiet" onClick={() => void resend()}>
            {words.resend}
            <span class="only-spoken"> {trigger}</span>
          </Button>
        </>
      }
    >
      <div class="row">
        <Status status={isGood ? 'success' : 'failed'} words={words.delivered(response_status)} />
        <strong>{trigger}</strong>
      </div>
      <details>
        <summary>{words.request}</summary>
        <h3>{words.requestBody}</h3>
        <pre class="system-hook-body">{JSON.stringify(request_data, null, 2)}</pre>
        <h3>{words.response}</h3>
        <pre class="system-hook-body">{response_body}</pre>
      </details>
    </ListRow>
  )
}
