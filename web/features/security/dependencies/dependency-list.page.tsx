// The packages that a project, or the projects of a group, depend on: where each is named, its licences, and what is known to be
// wrong with it.
import { useAbilities } from '../../../api/abilities.ts'
import type { Dependency, GroupDependency } from '../../../api/operations.ts'
import { useProject } from '../../../api/project.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { SecurityPage } from '../../../surfaces/security/security-page.tsx'
import { security, dependencies as words } from '../../../text/security.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { SelectField } from '../../../ui/field/field.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, currentUrlWithQuery, replaceUrl } from '../../../ui/navigation.ts'
import { OuterLink } from '../../../ui/outer-link.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { SearchField } from '../../../ui/search-field/search-field.tsx'
import { Status } from '../../../ui/status/status.tsx'

const routeOf = ({ kind }: Place) =>
  kind === 'group' ? 'GET /groups/:id/dependencies' : 'GET /projects/:id/dependencies'
const managers = words.managers.map(([manager]) => manager).filter(Boolean)

function inputOf({ id }: Place, { searchParams }: URL) {
  const search = searchParams.get('search')
  const manager = searchParams.get('package_manager') ?? ''
  return {
    id,
    order_by: searchParams.get('sort') === 'name' ? ('name' as const) : ('severity' as const),
    per_page: 30,
    page: Number(searchParams.get('page') ?? 1),
    ...(search ? { search } : {}),
    ...(managers.includes(manager) ? { package_manager: [manager as 'npm'] } : {}),
  }
}

export const page: PageModule<PlaceLocation> = {
  calls: ({ place, url }) => [apiReadUrl(routeOf(place), inputOf(place, url))],
  View: DependencyList,
}

function DependencyList({ at: { place } }: { at: PlaceLocation }) {
  const url = currentUrl.value
  const input = inputOf(place, url)
  const { data, page: pages, refusal, again } = useApi(routeOf(place), input)
  const can = useAbilities(place)
  const isProject = place.kind === 'project'
  const { data: project } = useProject(isProject ? place.id : 0, { isAsked: isProject })
  const isNarrowed = 'search' in input || 'package_manager' in input
  return (
    <SecurityPage
      place={place}
      title={security.dependencies}
      lead={isProject ? words.lead : words.groupLead}
    >
      <div class="row">
        <div class="grow">
          <SearchField label={words.search} />
        </div>
        <SelectField
          isLabelHidden
          label={words.manager}
          options={words.managers}
          value={url.searchParams.get('package_manager') ?? ''}
          onChange={(event) =>
            replaceUrl(
              currentUrlWithQuery({ package_manager: event.currentTarget.value, page: '' }),
            )
          }
        />
        {can('read_vulnerabilities') ? (
          <SelectField
            isLabelHidden
            label={words.sort}
            options={words.sorts}
            value={url.searchParams.get('sort') ?? ''}
            onChange={(event) =>
              replaceUrl(currentUrlWithQuery({ sort: event.currentTarget.value, page: '' }))
            }
          />
        ) : null}
      </div>
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={isNarrowed ? words.noMatches : words.empty}>
          <p>{isNarrowed ? words.noMatchesText : words.emptyText}</p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={security.dependencies}>
          {data.map((one) => (
            <DependencyRow
              key={[
                'project' in one ? one.project.id : '',
                ...[one.name, one.version, one.dependency_file_path, one.package_manager],
              ].join(' ')}
              dependency={one}
              fileUrl={
                'location' in one
                  ? one.location.blob_path
                  : repositoryPageUrl(
                      placeBasePath(place),
                      'blob',
                      project?.default_branch ?? 'HEAD',
                      one.dependency_file_path ?? '',
                    )
              }
            />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </SecurityPage>
  )
}

type RowProps = { dependency: Dependency | GroupDependency; fileUrl: string | null }

function DependencyRow({ dependency, fileUrl }: RowProps) {
  const { name, version, package_manager, dependency_file_path: path, licenses } = dependency
  const known = dependency.vulnerabilities ?? []
  return (
    <ListRow
      aside={
        <>
          {licenses.length === 0 ? (
            <span>{words.noLicense}</span>
          ) : (
            licenses.map((license) => (
              <OuterLink key={license.name} href={license.url}>
                {license.name}
              </OuterLink>
            ))
          )}
          {package_manager ? <Chip>{package_manager}</Chip> : null}
        </>
      }
    >
      <div class="stack stack-close">
        <div class="row">
          <strong>{name}</strong>
          {version ? <span class="mono">{version}</span> : null}
          {'project' in dependency ? (
            <a href={`/${dependency.project.full_path}/-/dependencies`}>
              {dependency.project.full_name}
            </a>
          ) : null}
        </div>
        {path ? (
          <p>
            {fileUrl === null ? (
              <span class="mono">{path}</span>
            ) : (
              <a class="mono" href={fileUrl}>
                {path}
              </a>
            )}
          </p>
        ) : null}
        {known.length > 0 ? <Known name={name} vulnerabilities={known} /> : null}
      </div>
    </ListRow>
  )
}

type Known = NonNullable<Dependency['vulnerabilities']>

/** The worst first. */
const rank = (severity: string) => security.severityList.findIndex(([known]) => known === severity)

function Known({ name, vulnerabilities }: { name: string; vulnerabilities: Known }) {
  const sorted = vulnerabilities.toSorted((a, b) => rank(a.severity) - rank(b.severity))
  const [worst] = sorted
  if (!worst) return null
  return (
    <details>
      <summary>
        <Status
          status={worst.severity}
          words={security.severities[worst.severity] ?? worst.severity}
        />{' '}
        {words.vulnerabilities(sorted.length)}
        <span class="only-spoken"> {words.of(name)}</span>
      </summary>
      <ul class="stack stack-close">
        {sorted.map((one) => (
          <li key={`${one.severity} ${one.name}`} class="row">
            <Status
              status={one.severity}
              words={security.severities[one.severity] ?? one.severity}
            />
            <span>{one.name}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
