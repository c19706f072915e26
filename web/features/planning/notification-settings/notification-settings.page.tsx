import { invalidate, setCachedData } from '../../../api/cache.ts'
import { type Answer, call, type Input } from '../../../api/call.ts'
import { user } from '../../../api/session.ts'
import { apiReadUrl, useAllPages, useApi } from '../../../api/use-api.ts'
import { notifications as words } from '../../../text/notifications.ts'
import { ownSettingsPlaces } from '../../../text/places.ts'
import { CheckField, SelectField } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl } from '../../../ui/navigation.ts'
import { OwnSettings } from '../../../ui/page/own-settings.tsx'
import { hasPageHeading, Section } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Picker } from '../../../ui/picker/picker.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

type Setting = Answer<'GET /notification_settings'>
type Place = Answer<'GET /notification_settings/places'>[number]
const all = { per_page: 100 }
const settingUrl = apiReadUrl('GET /notification_settings', {})
const placesUrl = apiReadUrl('GET /notification_settings/places', all)

export const page: PageModule = {
  calls: () => [settingUrl, placesUrl],
  View: NotificationSettings,
}

function NotificationSettings() {
  const { data: setting } = useApi('GET /notification_settings', {})
  if (!setting) return null
  return (
    <OwnSettings title={ownSettingsPlaces.notifications} lead={words.lead}>
      <Section title={words.everywhere}>
        <Everywhere setting={setting} />
      </Section>
      <Section title={words.places}>
        <Places />
      </Section>
    </OwnSettings>
  )
}

function Everywhere({ setting }: { setting: Setting }) {
  // The address in use is known; the others are asked for once the page is there.
  const { data: emails } = useAllPages('GET /user/emails', hasPageHeading.value ? all : undefined)
  const confirmed = emails?.filter(({ confirmed_at }) => confirmed_at) ?? []
  const addresses = [
    setting.notification_email,
    user.value?.email ?? '',
    ...confirmed.map(({ email }) => email),
  ]
  const save = async (asked: Record<string, unknown>) => {
    setCachedData(
      settingUrl,
      await call('PUT /notification_settings', asked as Input<'PUT /notification_settings'>),
    )
    showToast(ownSettingsPlaces.saved)
  }
  return (
    <div class="form">
      <SelectField
        label={words.level}
        hint={words.hints[setting.level]}
        name="level"
        options={words.levels}
        value={setting.level}
        onChange={({ currentTarget }) => save({ level: currentTarget.value })}
      />
      <EventForm setting={setting} save={save} />
      <SelectField
        label={words.email}
        hint={words.emailHint}
        name="notification_email"
        options={[...new Set(addresses)].map((email) => [email, email])}
        value={setting.notification_email}
        onChange={({ currentTarget }) => save({ notification_email: currentTarget.value })}
      />
    </div>
  )
}

/** The events of a setting whose level is custom: the server tells them of no other. */
function EventForm({
  setting: { events },
  save,
}: {
  setting: Pick<Setting, 'events'>
  save: (events: Record<string, boolean>) => Promise<unknown>
}) {
  if (!events) return null
  return (
    <Form action={words.saveEvents} onSubmit={(values) => save(eventsOf(values))}>
      <fieldset class="field">
        <legend class="field-label">{words.events}</legend>
        {words.eventNames.map(([name, label]) => (
          <CheckField key={name} label={label} name={name} defaultChecked={events[name] ?? false} />
        ))}
      </fieldset>
    </Form>
  )
}

/** Each event that the page knows, ticked or not. */
function eventsOf(values: FormValues): Record<string, boolean> {
  return Object.fromEntries(words.eventNames.map(([name]) => [name, values.has(name)]))
}

/** The project whose page led here comes first, whether it has a level of its own or not. */
function usePlaces(): readonly Place[] {
  const { data: places = [] } = useAllPages('GET /notification_settings/places', all)
  const path = currentUrl.value.searchParams.get('project')
  const { data: project } = useApi('GET /projects/:id', path ? { id: path } : undefined)
  if (!project) return places
  const { id, name_with_namespace: full_name, path_with_namespace: full_path } = project
  const isAsked = (place: Place) => place.kind === 'project' && place.id === id
  const asked = { kind: 'project', id, full_name, full_path, level: 'global' } as const
  return [places.find(isAsked) ?? asked, ...places.filter((place) => !isAsked(place))]
}

function Places() {
  const places = usePlaces()
  return (
    <>
      <p class="muted">{places.length > 0 ? words.placesText : words.noPlaces}</p>
      {places.length > 0 ? (
        <List label={words.places}>
          {places.map((place) => (
            <PlaceRow key={`${place.kind}:${place.id}`} place={place} />
          ))}
        </List>
      ) : null}
      <div class="row">
        <Picker
          label={words.place}
          chosen={[]}
          find={findPlaces}
          onChoose={async ([chosen]) => {
            const [kind, id] = chosen?.value.split(':') ?? []
            if (kind)
              await change({ kind: kind as Place['kind'], id: Number(id) }, { level: 'watch' })
          }}
        >
          {words.add}
        </Picker>
      </div>
    </>
  )
}

async function findPlaces(search: string) {
  const asked = { search, per_page: 10, simple: true, membership: true } as const
  const [projects, groups] = await Promise.all([
    call('GET /projects', asked),
    call('GET /groups', { search, per_page: 10 }),
  ])
  return [
    ...projects.map(({ id, name_with_namespace }) => ({
      value: `project:${id}`,
      words: name_with_namespace,
      detail: words.project,
    })),
    ...groups.map(({ id, full_name }) => ({
      value: `group:${id}`,
      words: full_name,
      detail: words.group,
    })),
  ]
}

function PlaceRow({ place }: { place: Place }) {
  const { kind, full_name, full_path, level } = place
  const href = kind === 'group' ? `/groups/${full_path}` : `/${full_path}`
  return (
    <ListRow
      aside={
        <SelectField
          label={words.levelOf(full_name)}
          isLabelHidden
          name="level"
          options={[['global', words.global], ...words.levels]}
          value={level}
          onChange={({ currentTarget }) => change(place, { level: currentTarget.value })}
        />
      }
    >
      <a data-main href={href}>
        {full_name}
      </a>{' '}
      <span class="muted">{kind === 'group' ? words.group : words.project}</span>
      {level === 'custom' ? (
        <details>
          <summary>{words.events}</summary>
          <EventForm setting={place} save={(events) => change(place, events)} />
        </details>
      ) : null}
    </ListRow>
  )
}

async function change(
  { kind, id }: Pick<Place, 'kind' | 'id'>,
  asked: Record<string, unknown>,
): Promise<void> {
  if (kind === 'group') await call('PUT /groups/:id/notification_settings', { id, ...asked })
  else await call('PUT /projects/:id/notification_settings', { id, ...asked })
  invalidate('/api/v4/notification_settings')
  showToast(ownSettingsPlaces.saved)
}
