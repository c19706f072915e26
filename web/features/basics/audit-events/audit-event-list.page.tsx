// Audit events of the instance, a group or a project, with filters in the address; the export uses the same filters.
import type { ComponentChildren } from 'preact'
import { type Answer, call, type Input, untypedApiUrl } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { auditText as words } from '../../../text/audit-events.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { Combobox, type ComboboxChoice } from '../../../ui/combobox/combobox.tsx'
import { choiceOfPerson } from '../../../ui/combobox/finders.ts'
import { SelectField, TextField } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, currentUrlWithQuery, replaceUrl } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import { GroupSettings, ProjectSettings } from '../../../ui/page/settings.tsx'
import type { PageModule, Place } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'
import './audit-event.css'

type Event = Answer<'GET /audit_events'>[number]
type Filter = Pick<
  Input<'GET /audit_events'>,
  'entity_type' | 'author_id' | 'created_after' | 'created_before'
>

const filters = ['entity_type', 'author_id', 'author', 'from', 'to'] as const

function filterOf({ searchParams }: URL): Filter {
  const entity_type = searchParams.get('entity_type') as Filter['entity_type'] | null
  const author_id = searchParams.get('author_id')
  const [from, to] = [searchParams.get('from'), searchParams.get('to')]
  return {
    ...(entity_type ? { entity_type } : {}),
    ...(author_id ? { author_id: Number(author_id) } : {}),
    ...(from ? { created_after: new Date(`${from}T00:00:00`).toISOString() } : {}),
    ...(to ? { created_before: new Date(`${to}T23:59:59.999`).toISOString() } : {}),
  }
}

/**
 * The routes of projects and groups, which lack the types of entities. The cast lets both be called with an
 * id.
 */
const routes = {
  group: { list: 'GET /groups/:id/audit_events', export: 'GET /groups/:id/audit_events/export' },
  project: {
    list: 'GET /projects/:id/audit_events',
    export: 'GET /projects/:id/audit_events/export',
  },
} as const
const ofInstance = {
  list: 'GET /audit_events' as typeof routes.group.list,
  export: 'GET /audit_events/export' as typeof routes.group.export,
} as const
const routesOf = (place: Place | undefined) =>
  place ? routes[place.kind === 'group' ? 'group' : 'project'] : ofInstance

function filterInput(place: Place | undefined, url: URL) {
  const { entity_type, ...filter } = filterOf(url)
  const of = place ? { id: place.id } : entity_type && { entity_type }
  return { ...(of as { id: number }), ...filter }
}
const inputOf = (place: Place | undefined, url: URL) => ({
  ...filterInput(place, url),
  per_page: 50,
  page: Number(url.searchParams.get('page') ?? 1),
})

/** The frame of administration pages is loaded for the instance only. */
let AdminFrame: typeof Page = Page

export const page: PageModule = {
  // The data of the instance is requested after its frame has been loaded.
  calls: ({ place, url }) => [place && apiReadUrl(routesOf(place).list, inputOf(place, url))],
  prepare: async ({ place }) => {
    if (!place) AdminFrame = (await import('./admin-frame.ts')).AdminPage
  },
  View: ({ at: { place } }) => <AuditEventList place={place} />,
}

type FrameProps = { actions: ComponentChildren; children: ComponentChildren }

function Frame({ place, ...page }: FrameProps & { place: Place | undefined }) {
  const { title } = words
  if (!place) return <AdminFrame title={title} lead={words.lead} {...page} />
  return place.kind === 'group' ? (
    <GroupSettings place={place} title={title} lead={words.groupLead} {...page} />
  ) : (
    <ProjectSettings place={place} title={title} lead={words.projectLead} {...page} />
  )
}

function AuditEventList({ place }: { place: Place | undefined }) {
  const url = currentUrl.value
  const { data, page: pages, refusal, again } = useApi(routesOf(place).list, inputOf(place, url))
  const isFiltered = filters.some((name) => url.searchParams.has(name))
  return (
    <Frame
      place={place}
      actions={
        <ButtonLink href={untypedApiUrl(routesOf(place).export, filterInput(place, url))} download>
          {words.export}
        </ButtonLink>
      }
    >
      <Filters key={url.search} isFiltered={isFiltered} hasKinds={!place} />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={isFiltered ? words.noMatches : words.empty} />
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.list}>
          {data.map((event) => (
            <EventRow key={event.id} event={event} isOfPlace={place !== undefined} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </Frame>
  )
}

/** Finds authors among all users, including blocked ones. */
async function findAuthors(search: string): Promise<ComboboxChoice[]> {
  const people = await call('GET /users', { search, per_page: 12 })
  return [{ value: '', words: words.anyone }, ...people.map(choiceOfPerson)]
}

function Filters({ isFiltered, hasKinds }: { isFiltered: boolean; hasKinds: boolean }) {
  const { searchParams } = currentUrl.value
  const given = (name: string) => searchParams.get(name) ?? ''
  const author = given('author_id')
  const apply = (values: FormValues) =>
    replaceUrl(
      currentUrlWithQuery({
        entity_type: values.text('entity_type'),
        from: values.text('from'),
        to: values.text('to'),
        page: undefined,
      }),
    )
  return (
    <Form
      label={words.filter}
      action={words.apply}
      onSubmit={apply}
      isInline
      more={
        isFiltered ? <ButtonLink href={currentUrl.value.pathname}>{words.clear}</ButtonLink> : null
      }
    >
      {hasKinds ? (
        <SelectField
          label={words.entityType}
          name="entity_type"
          options={words.entityTypes}
          value={given('entity_type')}
        />
      ) : null}
      <Combobox
        label={words.author}
        placeholder={words.anyone}
        chosen={author === '' ? undefined : { value: author, words: given('author') || author }}
        find={findAuthors}
        onChoose={({ value, words: name }) =>
          replaceUrl(
            currentUrlWithQuery({
              author_id: value,
              author: value === '' ? '' : name,
              page: undefined,
            }),
          )
        }
      />
      <TextField label={words.from} name="from" type="date" defaultValue={given('from')} />
      <TextField label={words.to} name="to" type="date" defaultValue={given('to')} />
    </Form>
  )
}

/** Details that the row already shows, or that are meaningless for people. */
const shownBeside = new Set([
  'custom_message',
  'author_name',
  'target_id',
  'target_type',
  'target_details',
  'ip_address',
  'entity_path',
])

function EventRow({ event, isOfPlace }: { event: Event; isOfPlace: boolean }) {
  const { details, entity_type, event_name, created_at } = event
  const text = (name: string) => String(details[name] ?? '')
  const type = words.typeNames[entity_type] ?? entity_type
  const [path, target] = [text('entity_path'), text('target_details')]
  const more = Object.entries(details).filter(
    ([name, value]) => !shownBeside.has(name) && value !== null && value !== undefined,
  )
  // An event that this page does not know yet is shown with the server's text.
  const what = words.eventNames[event_name] ?? text('custom_message')
  return (
    <ListRow
      aside={
        <>
          {text('ip_address') ? <span>{words.fromAddress(text('ip_address'))}</span> : null}
          <Time at={created_at} />
        </>
      }
    >
      <div class="row">
        <strong>{what}</strong>
        <span>{words.by(text('author_name'))}</span>
        {isOfPlace ? null : <span class="muted">{words.on(type, path)}</span>}
        {target === path ? null : <span class="muted">{target}</span>}
      </div>
      {more.length > 0 ? (
        <details class="audit-event-details">
          <summary>
            {words.details}
            <span class="only-spoken"> {words.detailsOf(what)}</span>
          </summary>
          <dl class="facts">
            {more.map(([name, value]) => (
              <div key={name}>
                <dt>{name.replaceAll('_', ' ')}</dt>
                <dd class="mono">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
              </div>
            ))}
          </dl>
        </details>
      ) : null}
    </ListRow>
  )
}
