// The alerts that monitoring tools have sent to a project, the newest first.
import { useAbilities } from '../../../api/abilities.ts'
import type { ListedAlert } from '../../../api/operations.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { OperatePage } from '../../../surfaces/operate/operate-page.tsx'
import { alerts as words } from '../../../text/alerts.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { SelectField } from '../../../ui/field/field.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, currentUrlWithQuery, replaceUrl } from '../../../ui/navigation.ts'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { SearchField } from '../../../ui/search-field/search-field.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { Time } from '../../../ui/time/time.tsx'

const route = 'GET /projects/:id/alert_management_alerts'
const open = ['triggered', 'acknowledged'] as const
type AlertStatus = ListedAlert['status']
type Severity = ListedAlert['severity']

const severityWords = new Map(words.severityOptions)

function statusesOf({ searchParams }: URL): AlertStatus[] | undefined {
  const asked = searchParams.get('status') ?? ''
  if (asked === 'all') return undefined
  return asked in words.statuses ? [asked as AlertStatus] : [...open]
}

function inputOf({ id }: Place, url: URL) {
  const status = statusesOf(url)
  const search = url.searchParams.get('search')
  const severity = url.searchParams.get('severity') ?? ''
  return {
    id,
    per_page: 20,
    page: Number(url.searchParams.get('page') ?? 1),
    ...(status ? { status } : {}),
    ...(search ? { search } : {}),
    ...(severityWords.has(severity) && severity !== '' ? { severity: [severity as Severity] } : {}),
  }
}

export const page: PageModule<PlaceLocation> = {
  calls: ({ place, url }) => [apiReadUrl(route, inputOf(place, url))],
  View: AlertList,
}

function AlertList({ at: { place } }: { at: PlaceLocation }) {
  const url = currentUrl.value
  const { data, page: pages, refusal, again } = useApi(route, inputOf(place, url))
  const can = useAbilities(place)
  const base = placeBasePath(place)
  const status = url.searchParams.get('status') ?? ''
  const isNarrowed = ['status', 'severity', 'search'].some((name) => url.searchParams.has(name))
  return (
    <OperatePage place={place} title={words.title} lead={words.lead}>
      <Tabs
        label={words.byStatus}
        tabs={words.tabs.map(([name, label]) => ({
          words: label,
          href: currentUrlWithQuery({ status: name, page: '' }, url),
          isHere: status === name,
        }))}
      />
      <div class="row">
        <div class="grow">
          <SearchField label={words.search} />
        </div>
        <SelectField
          isLabelHidden
          label={words.severity}
          options={words.severityOptions}
          value={url.searchParams.get('severity') ?? ''}
          onChange={(event) =>
            replaceUrl(currentUrlWithQuery({ severity: event.currentTarget.value, page: '' }))
          }
        />
      </div>
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={isNarrowed ? words.noMatches : words.empty}>
          <p>{isNarrowed ? words.noMatchesText : words.emptyText}</p>
          {!isNarrowed && can('write_alert_integrations') ? (
            <ButtonLink href={`${base}/-/settings/monitor`}>{words.setUp}</ButtonLink>
          ) : null}
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.title}>
          {data.map((alert) => (
            <AlertRow key={alert.iid} {...{ alert, base }} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </OperatePage>
  )
}

function AlertRow({ alert, base }: { alert: ListedAlert; base: string }) {
  const { iid, title, severity, status, events, started_at, service, issue, assignees } = alert
  return (
    <ListRow
      aside={
        <>
          {assignees.map((person) => (
            <Avatar key={person.id} name={person.name} url={person.avatar_url} />
          ))}
          {issue ? <a href={`${base}/-/issues/${issue.iid}`}>{words.incident(issue.iid)}</a> : null}
          <Status status={status} words={words.statuses[status] ?? status} />
          <Time at={started_at} />
        </>
      }
    >
      <div class="row">
        <Status status={severity} words={severityWords.get(severity) ?? severity} />
        <a data-main href={`${base}/-/alert_management/${iid}/details`}>
          {title}
        </a>
      </div>
      <p class="muted">{[words.events(events), service].filter(Boolean).join(' · ')}</p>
    </ListRow>
  )
}
