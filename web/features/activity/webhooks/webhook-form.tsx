// The form of a webhook: its URL and events.
import { webhooks as words } from '../../../text/webhooks.ts'
import { CheckField, TextField } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import type { Place } from '../../../ui/page-module.ts'
import { type Webhook, webhookEventsOf } from './webhook-calls.ts'

/** The values of the form, without a blank token. */
export type WebhookTexts = ReturnType<typeof textsOf>

function textsOf(values: FormValues, place: Place) {
  const token = values.text('token')
  const events = webhookEventsOf(place).map(([event]) => [event, values.has(event)] as const)
  return {
    ...Object.fromEntries(events),
    url: values.text('url').trim(),
    name: values.text('name').trim() || null,
    push_events_branch_filter: values.text('push_events_branch_filter').trim() || null,
    enable_ssl_verification: values.has('enable_ssl_verification'),
    ...(token === '' ? {} : { token }),
  }
}

export function WebhookForm({
  place,
  webhook,
  onSave,
}: {
  place: Place
  webhook?: Webhook
  /** Saves the values. Throws `Refusal`. */
  onSave: (texts: WebhookTexts) => Promise<unknown>
}) {
  return (
    <Form
      action={webhook ? words.save : words.add}
      label={webhook ? words.edit : words.new}
      onSubmit={(values) => onSave(textsOf(values, place))}
    >
      <TextField
        label={words.url}
        name="url"
        type="url"
        required
        spellcheck={false}
        defaultValue={webhook?.url ?? ''}
      />
      <TextField label={words.name} name="name" defaultValue={webhook?.name ?? ''} />
      <TextField
        label={words.secret}
        hint={webhook ? words.secretKeptHint : words.secretHint}
        name="token"
        type="password"
        autocomplete="off"
      />
      <fieldset class="stack stack-close">
        <legend class="field-label">{words.events}</legend>
        {webhookEventsOf(place).map(([event, name]) => (
          <CheckField
            key={event}
            label={name}
            name={event}
            defaultChecked={webhook ? webhook[event] : event === 'push_events'}
          />
        ))}
      </fieldset>
      <TextField
        label={words.branchFilter}
        hint={words.branchFilterHint}
        name="push_events_branch_filter"
        spellcheck={false}
        defaultValue={webhook?.push_events_branch_filter ?? ''}
      />
      <CheckField
        label={words.verifySsl}
        name="enable_ssl_verification"
        defaultChecked={webhook?.enable_ssl_verification ?? true}
      />
    </Form>
  )
}
