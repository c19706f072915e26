import type { Input } from '../../../api/call.ts'
import { useInvalidateOnChange } from '../../../api/live.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { jobs as words } from '../../../text/jobs.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, currentUrlWithQuery } from '../../../ui/navigation.ts'
import { DeliveryPage } from '../../../ui/page/delivery.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { Duration, Time } from '../../../ui/time/time.tsx'

type Scope = NonNullable<Input<'GET /projects/:id/jobs'>['scope']>[number]

function inputOf({ place, url: { searchParams } }: PlaceLocation) {
  const scope = searchParams.get('scope') as Scope | null
  return {
    id: place.id,
    per_page: 40,
    page: Number(searchParams.get('page') ?? 1),
    ...(scope ? { scope: [scope] } : {}),
  }
}

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [apiReadUrl('GET /projects/:id/jobs', inputOf(at))],
  View: JobList,
}

function JobList({ at }: { at: PlaceLocation }) {
  const { data, page: pages, refusal, again } = useApi('GET /projects/:id/jobs', inputOf(at))
  const asked = currentUrl.value.searchParams.get('scope') ?? ''
  const base = placeBasePath(at.place)
  useInvalidateOnChange(`project:${at.place.id}`, [`/api/v4/projects/${at.place.id}/jobs`])
  return (
    <DeliveryPage place={at.place} title={words.title}>
      <Tabs
        label={words.filter}
        tabs={words.filters.map(([scope, name]) => ({
          words: name,
          href: currentUrlWithQuery({ scope, page: undefined }),
          isHere: asked === scope,
        }))}
      />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        asked === '' ? (
          <EmptyState title={words.empty}>
            <p>{words.emptyText}</p>
          </EmptyState>
        ) : (
          <EmptyState title={words.noMatches} />
        )
      ) : null}
      <List label={words.title}>
        {data?.map((job) => (
          <ListRow
            key={job.id}
            aside={
              <>
                <a href={`${base}/-/pipelines/${job.pipeline.id}`}>
                  {words.pipeline(job.pipeline.id)}
                </a>
                <Duration seconds={job.duration} isCounting={job.status === 'running'} />
                <Time at={job.created_at} />
              </>
            }
          >
            <div class="row">
              <Status
                status={job.status === 'failed' && job.allow_failure ? 'warning' : job.status}
              />
              <a data-main href={`${base}/-/jobs/${job.id}`}>
                {job.name}
              </a>
              <span class="muted">{job.stage}</span>
              <span class="mono one-line">{job.ref}</span>
            </div>
          </ListRow>
        ))}
      </List>
      <Pager page={pages} />
    </DeliveryPage>
  )
}
