// The webhooks of a project or group: the list, the form, and one with its deliveries.
import type { ComponentChildren } from 'preact'
import { useAbilities } from '../../../api/abilities.ts'
import { call } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { webhooks as words } from '../../../text/webhooks.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, navigate } from '../../../ui/navigation.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { GroupSettings, ProjectSettings } from '../../../ui/page/settings.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { WebhookDeliveries } from './deliveries.tsx'
import {
  invalidateWebhooks,
  manageWebhooksAbility,
  type Webhook,
  webhookEventsOf,
  webhookRoutesOf,
} from './webhook-calls.ts'
import { WebhookForm } from './webhook-form.tsx'

const whichOf = ({ rest }: Place) => (rest ?? '').split('/')[1] ?? ''

export const page: PageModule<PlaceLocation> = {
  calls: ({ place }) => {
    const hook_id = Number(whichOf(place))
    return [hook_id > 0 && apiReadUrl(webhookRoutesOf(place).get, { id: place.id, hook_id })]
  },
  View: Webhooks,
}

const listOf = (place: Place) => `${placeBasePath(place)}/-/settings/hooks`

function Webhooks({ at: { place } }: { at: PlaceLocation }) {
  const which = whichOf(place)
  if (which === '') return <WebhookList place={place} />
  if (which === 'new') return <NewWebhook place={place} />
  return <OneWebhook place={place} hook_id={Number(which) || 0} />
}

type FrameProps = { place: Place; title: string; lead?: string; children: ComponentChildren }

function Settings(props: FrameProps) {
  return props.place.kind === 'group' ? (
    <GroupSettings {...props} />
  ) : (
    <ProjectSettings {...props} />
  )
}

function WebhookList({ place }: { place: Place }) {
  const can = useAbilities(place)
  const { data, page: pages } = useApi(
    webhookRoutesOf(place).list,
    can(manageWebhooksAbility)
      ? { id: place.id, per_page: 20, page: Number(currentUrl.value.searchParams.get('page') ?? 1) }
      : undefined,
  )
  return (
    <Settings place={place} title={words.title} lead={words.lead}>
      <div class="row">
        <ButtonLink href={`${listOf(place)}/new`}>{words.add}</ButtonLink>
      </div>
      {data?.length === 0 ? (
        <EmptyState title={words.empty}>
          <p>{words.emptyText}</p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.title}>
          {data.map((webhook) => (
            <WebhookRow key={webhook.id} {...{ webhook, place }} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </Settings>
  )
}

const signs: Readonly<Record<string, string>> = {
  executable: 'active',
  temporarily_disabled: 'paused',
  disabled: 'failed',
}

function State({ webhook: { alert_status, disabled_until } }: { webhook: Webhook }) {
  return (
    <span class="row">
      <Status
        status={signs[alert_status] ?? alert_status}
        words={words.states[alert_status] ?? alert_status}
      />
      {alert_status === 'temporarily_disabled' && disabled_until ? (
        <span>
          {words.until} <Time at={disabled_until} />
        </span>
      ) : null}
    </span>
  )
}

function WebhookRow({ webhook, place }: { webhook: Webhook; place: Place }) {
  const { id, url, name } = webhook
  const events = webhookEventsOf(place).filter(([event]) => webhook[event])
  return (
    <ListRow aside={<State webhook={webhook} />}>
      <a data-main href={`${listOf(place)}/${id}`}>
        {name ?? url}
      </a>
      {name ? <p class="muted mono">{url}</p> : null}
      <p class="muted">{events.map(([, label]) => label).join(', ')}</p>
    </ListRow>
  )
}

function NewWebhook({ place }: { place: Place }) {
  return (
    <Settings place={place} title={words.new}>
      <WebhookForm
        place={place}
        onSave={async (texts) => {
          const { id } = await call(webhookRoutesOf(place).create, { id: place.id, ...texts })
          invalidateWebhooks(place)
          navigate(`${listOf(place)}/${id}`, { replace: true })
          showToast(words.created)
        }}
      />
    </Settings>
  )
}

function OneWebhook({ place, hook_id }: { place: Place; hook_id: number }) {
  const of = { id: place.id, hook_id }
  const { data } = useApi(webhookRoutesOf(place).get, hook_id > 0 ? of : undefined)
  if (!data) return <NotFoundPage />
  const name = data.name ?? data.url
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(name),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call(webhookRoutesOf(place).remove, of)
        invalidateWebhooks(place)
        navigate(listOf(place), { replace: true })
      },
    })
  return (
    <Settings place={place} title={name}>
      <div class="row row-apart">
        <State webhook={data} />
        <Button look="quiet" onClick={remove}>
          {words.remove}
        </Button>
      </div>
      <WebhookDeliveries place={place} hook_id={hook_id} />
      <Section title={words.edit}>
        <WebhookForm
          place={place}
          webhook={data}
          onSave={async (texts) => {
            await call(webhookRoutesOf(place).change, { ...of, ...texts })
            invalidateWebhooks(place)
            showToast(words.saved)
          }}
        />
      </Section>
    </Settings>
  )
}
