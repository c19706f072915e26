// Vulnerabilities of a project, a group or a dashboard: the worst first, counted by severity, filtered by the address.
import { useState } from 'preact/hooks'
import type { Vulnerability } from '../../../api/operations.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { formatLocation } from '../../../surfaces/security/location.ts'
import { security, vulnerabilities as words } from '../../../text/security.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { SelectField } from '../../../ui/field/field.tsx'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, currentUrlWithQuery, replaceUrl } from '../../../ui/navigation.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import type { ExportScope } from './export.tsx'
import {
  filterValuesOf,
  hasActiveReportFilter,
  vulnerabilityFilterOf,
  vulnerabilityListInputOf,
} from './report-query.ts'
import './report.css'

const routes = {
  project: {
    list: 'GET /projects/:id/vulnerabilities',
    summary: 'GET /projects/:id/vulnerabilities/summary',
  },
  group: {
    list: 'GET /groups/:id/vulnerabilities',
    summary: 'GET /groups/:id/vulnerabilities/summary',
  },
  dashboard: {
    list: 'GET /security/vulnerabilities',
    summary: 'GET /security/vulnerabilities/summary',
  },
} as const
const routesOf = ({ kind }: ExportScope) => routes[kind]

/** The path of a dashboard has no id. */
const idOf = (of: ExportScope) => (of.kind === 'dashboard' ? {} : { id: of.id }) as { id: number }
const listInput = (of: ExportScope, url: URL) => ({ ...idOf(of), ...vulnerabilityListInputOf(url) })
const summaryInput = (of: ExportScope, url: URL) => ({ ...idOf(of), ...vulnerabilityFilterOf(url) })

/** What a report reads. */
export const vulnerabilityReportApiUrls = (of: ExportScope, url: URL) => [
  apiReadUrl(routesOf(of).list, listInput(of, url)),
  apiReadUrl(routesOf(of).summary, summaryInput(of, url)),
]

/** What changes those that are selected comes with the first of them. */
const BulkBar = lazyComponent(() => import('./bulk-bar.tsx').then(({ BulkBar: View }) => View))

/** `mayChange` offers to select some, and to change them at once. */
export function VulnerabilityReport({ of, mayChange }: { of: ExportScope; mayChange: boolean }) {
  const url = currentUrl.value
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const [hasBar, setBar] = useState(false)
  const { data, page, refusal, again } = useApi(routesOf(of).list, listInput(of, url))
  const chosen = (data ?? []).filter(({ id }) => ids.has(id))
  const select = (wanted: readonly number[]) => {
    setIds(new Set(wanted))
    if (wanted.length > 0) setBar(true)
  }
  const toggle = (id: number) =>
    select(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id])
  const empty = hasActiveReportFilter(url)
    ? { title: words.noMatches, text: words.noMatchesText }
    : { title: words.empty, text: words.emptyText }
  return (
    <>
      <Counts of={of} />
      <Filters />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={empty.title}>
          <p>{empty.text}</p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={security.report}>
          {data.map((one) => (
            <VulnerabilityRow
              key={one.id}
              vulnerability={one}
              of={of}
              isChosen={mayChange ? ids.has(one.id) : undefined}
              onToggle={() => toggle(one.id)}
            />
          ))}
        </List>
      ) : null}
      <Pager page={page} />
      {hasBar ? (
        <BulkBar
          chosen={chosen}
          all={data ?? []}
          states={security.states}
          reasons={words.reasons}
          onSelect={select}
          onClose={() => {
            select([])
            setBar(false)
          }}
        />
      ) : null}
    </>
  )
}

/** How many of each severity there are, each a filter that is set and taken back by a press. */
function Counts({ of }: { of: ExportScope }) {
  const url = currentUrl.value
  const { data } = useApi(routesOf(of).summary, summaryInput(of, url))
  const chosen = filterValuesOf(url, 'severity')
  if (!data) return null
  return (
    <nav class="row report-counts" aria-label={words.bySeverity}>
      {security.severityList.map(([severity, name]) => {
        const isChosen = chosen.includes(severity)
        const next = isChosen ? chosen.filter((one) => one !== severity) : [...chosen, severity]
        const number = data[severity] ?? 0
        return (
          <a
            key={severity}
            class="report-count"
            href={currentUrlWithQuery({ severity: next.join(','), page: '' }, url)}
            aria-current={isChosen ? 'true' : undefined}
          >
            <Status status={severity} words={words.countOf(name, number)} />
          </a>
        )
      })}
    </nav>
  )
}

function Filters() {
  const url = currentUrl.value
  const field = (name: string, label: string, options: readonly (readonly [string, string])[]) => (
    <SelectField
      label={label}
      options={options}
      value={filterValuesOf(url, name)[0] ?? ''}
      onChange={(event) =>
        replaceUrl(currentUrlWithQuery({ [name]: event.currentTarget.value, page: '' }))
      }
    />
  )
  return (
    <search class="row report-filters" aria-label={words.filters}>
      {field('state', words.state, words.stateOptions)}
      {field('tool', words.tool, words.toolOptions)}
      {field('activity', words.activity, words.activityOptions)}
      {hasActiveReportFilter(url) ? (
        <ButtonLink
          look="quiet"
          href={currentUrlWithQuery(
            { state: '', tool: '', activity: '', severity: '', page: '' },
            url,
          )}
        >
          {words.clear}
        </ButtonLink>
      ) : null}
    </search>
  )
}

function VulnerabilityRow({
  vulnerability,
  of,
  isChosen,
  onToggle,
}: {
  vulnerability: Vulnerability
  of: ExportScope
  /** Undefined where none can be selected. */
  isChosen: boolean | undefined
  onToggle: () => void
}) {
  const { id, title, severity, state, finding, project, report_type } = vulnerability
  const base = `/${project.full_path}`
  const facts = [
    of.kind !== 'project' && project.full_name,
    formatLocation(finding.location),
    security.reportTypes[report_type],
    finding.identifiers[0]?.name,
  ]
  return (
    <ListRow
      aside={
        <>
          {vulnerability.resolved_on_default_branch ? <Chip>{words.gone}</Chip> : null}
          <Status status={state} words={security.states[state] ?? state} />
          <Time at={vulnerability.created_at} />
        </>
      }
    >
      <div class="row">
        {isChosen === undefined ? null : (
          <input
            class="report-select"
            type="checkbox"
            aria-label={words.select(title)}
            checked={isChosen}
            onChange={onToggle}
          />
        )}
        <Status status={severity} words={security.severities[severity] ?? severity} />
        <a data-main href={`${base}/-/security/vulnerabilities/${id}`}>
          {title}
        </a>
      </div>
      <p class="muted">{facts.filter(Boolean).join(' · ')}</p>
    </ListRow>
  )
}
