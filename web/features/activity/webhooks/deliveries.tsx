// Recent deliveries of a webhook and their responses, with a button to resend each.
import { useState } from 'preact/hooks'
import { call } from '../../../api/call.ts'
import type { WebhookDelivery } from '../../../api/operations.ts'
import { useApi } from '../../../api/use-api.ts'
import { webhooks as words } from '../../../text/webhooks.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { SelectField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, currentUrlWithQuery, replaceUrl } from '../../../ui/navigation.ts'
import { Section } from '../../../ui/page/page.tsx'
import type { Place } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { invalidateWebhooks, webhookEventsOf, webhookRoutesOf } from './webhook-calls.ts'
import './deliveries.css'

type Props = { place: Place; hook_id: number }

export function WebhookDeliveries({ place, hook_id }: Props) {
  const url = currentUrl.value
  const status = url.searchParams.get('status') ?? ''
  const { data, page } = useApi(webhookRoutesOf(place).deliveries, {
    id: place.id,
    hook_id,
    per_page: 20,
    page: Number(url.searchParams.get('page') ?? 1),
    ...(status === '' ? {} : { status: [status] }),
  })
  return (
    <>
      <Test place={place} hook_id={hook_id} />
      <Section
        title={words.deliveries}
        lead={words.deliveriesLead}
        actions={
          <SelectField
            isLabelHidden
            label={words.status}
            options={words.statuses}
            value={status}
            onChange={(event) =>
              replaceUrl(currentUrlWithQuery({ status: event.currentTarget.value, page: '' }))
            }
          />
        }
      >
        {data?.length === 0 ? (
          <EmptyState title={status === '' ? words.noDeliveries : words.noMatches} />
        ) : null}
        {data && data.length > 0 ? (
          <List label={words.deliveries}>
            {data.map((delivery) => (
              <DeliveryRow key={delivery.id} {...{ delivery, place, hook_id }} />
            ))}
          </List>
        ) : null}
        <Pager page={page} />
      </Section>
    </>
  )
}

function Test({ place, hook_id }: Props) {
  return (
    <Section title={words.test}>
      <Form
        isInline
        action={words.sendTest}
        label={words.test}
        onSubmit={async (values) => {
          const trigger = values.text('trigger') as 'push_events'
          try {
            await call(webhookRoutesOf(place).test, { id: place.id, hook_id, trigger })
            showToast(words.tested)
          } finally {
            // A delivery that the receiver refused is in the list too.
            invalidateWebhooks(place)
          }
        }}
      >
        <SelectField
          isLabelHidden
          label={words.testEvent}
          name="trigger"
          options={webhookEventsOf(place)}
          value="push_events"
        />
      </Form>
    </Section>
  )
}

const eventWords = new Map<string, string>([...words.eventWords, ...words.groupEventWords])

function DeliveryRow({ delivery, place, hook_id }: Props & { delivery: WebhookDelivery }) {
  const { id, trigger, response_status, execution_duration } = delivery
  const [isBusy, setBusy] = useState(false)
  const resend = async () => {
    setBusy(true)
    try {
      await call(webhookRoutesOf(place).resend, { id: place.id, hook_id, hook_event_id: id })
      showToast(words.resent)
    } finally {
      setBusy(false)
      invalidateWebhooks(place)
    }
  }
  const isGood = /^[23]\d\d$/.test(response_status)
  return (
    <ListRow
      aside={
        <>
          <span>{words.seconds(execution_duration)}</span>
          <Button isBusy={isBusy} onClick={() => void resend()}>
            {words.resend}
            <span class="only-spoken"> {id}</span>
          </Button>
        </>
      }
    >
      <div class="stack stack-close">
        <div class="row">
          <Status status={isGood ? 'success' : 'failed'} words={response_status} />
          <span>{eventWords.get(trigger) ?? trigger}</span>
        </div>
        <Exchange delivery={delivery} />
      </div>
    </ListRow>
  )
}

const linesOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** The request and response, rendered when first opened, since bodies may be large. */
function Exchange({ delivery }: { delivery: WebhookDelivery }) {
  const [isOpen, setOpen] = useState(false)
  const { request_headers, request_data, response_headers, response_body } = delivery
  const parts = [
    [words.requestHeaders, linesOf(request_headers)],
    [words.requestBody, request_data === null ? '' : JSON.stringify(request_data, null, 2)],
    [words.responseHeaders, linesOf(response_headers)],
    [words.responseBody, response_body],
  ] as const
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary aria-label={words.details(delivery.id)}>{words.showDetails}</summary>
      {isOpen
        ? parts.map(([name, text]) => (
            <div key={name} class="deliveries-part">
              <h3>{name}</h3>
              {text === '' ? (
                <p class="muted">{words.nothing}</p>
              ) : (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
                <pre tabIndex={0}>{text.slice(0, characters_max)}</pre>
              )}
            </div>
          ))
        : null}
    </details>
  )
}

/** The number of characters that are shown of a body. */
const characters_max = 50_000
