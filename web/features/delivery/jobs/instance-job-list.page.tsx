// The jobs of all projects, for administrators.
import type { Input } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { usePolling } from '../../../api/use-polling.ts'
import { instanceJobs as words } from '../../../text/admin-jobs.ts'
import { statusFilters } from '../../../text/status.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, currentUrlWithQuery } from '../../../ui/navigation.ts'
import { AdminPage } from '../../../ui/page/admin.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { Duration, Time } from '../../../ui/time/time.tsx'

type Scope = NonNullable<Input<'GET /admin/jobs'>['scope']>[number]

function inputOf({ searchParams }: URL) {
  const scope = searchParams.get('scope') as Scope | null
  return {
    per_page: 40,
    page: Number(searchParams.get('page') ?? 1),
    ...(scope ? { scope: [scope] } : {}),
  }
}

export const page: PageModule = {
  calls: ({ url }) => [apiReadUrl('GET /admin/jobs', inputOf(url))],
  View: InstanceJobList,
}

const isUnderWay = ({ status }: { status: string }) => status === 'running' || status === 'pending'

function InstanceJobList() {
  const { data, page: pages, refusal, again } = useApi('GET /admin/jobs', inputOf(currentUrl.value))
  const asked = currentUrl.value.searchParams.get('scope') ?? ''
  usePolling(again, data?.some(isUnderWay) ?? false)
  return (
    <AdminPage title={words.title} lead={words.lead}>
      <Tabs
        label={words.filter}
        tabs={statusFilters.map(([scope, name]) => ({
          words: name,
          href: currentUrlWithQuery({ scope, page: undefined }),
          isHere: asked === scope,
        }))}
      />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={asked === '' ? words.empty : words.noMatches} />
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.list}>
          {data.map((job) => {
            const href = new URL(job.web_url).pathname
            const [project = ''] = href.split('/-/')
            const isTolerated = job.status === 'failed' && job.allow_failure
            return (
              <ListRow
                key={job.id}
                aside={
                  <>
                    {job.runner ? <span>{job.runner.description}</span> : null}
                    <Duration seconds={job.duration} isCounting={job.status === 'running'} />
                    <Time at={job.created_at} />
                  </>
                }
              >
                <div class="row">
                  <Status status={isTolerated ? 'warning' : job.status} />
                  <a data-main href={href}>
                    {job.name}
                  </a>
                  <a class="muted" href={project}>
                    {decodeURI(project.slice(1))}
                  </a>
                  <span class="mono one-line">{job.ref}</span>
                </div>
              </ListRow>
            )
          })}
        </List>
      ) : null}
      <Pager page={pages} />
    </AdminPage>
  )
}
