// Exports of everybody, for administrators: of what they are and how they go, asked again while one is on its way.
import type { Answer } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { usePolling } from '../../../api/use-polling.ts'
import { adminExports as words } from '../../../text/admin-lists.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, encodePath } from '../../../ui/navigation.ts'
import { AdminPage } from '../../../ui/page/admin.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { ProgressBar } from '../../../ui/progress/progress.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'

type Export = Answer<'GET /admin/vulnerability_exports'>[number]

const route = 'GET /admin/vulnerability_exports'
const inputOf = (url: URL) => ({ per_page: 50, page: Number(url.searchParams.get('page') ?? 1) })

export const page: PageModule = {
  calls: ({ url }) => [apiReadUrl(route, inputOf(url))],
  View: ExportList,
}

function ExportList() {
  const { data, page: pages, refusal, again } = useApi(route, inputOf(currentUrl.value))
  // One that somebody asks for now is seen soon, those on their way as they go.
  usePolling(again, true)
  return (
    <AdminPage title={words.title} lead={words.lead}>
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={words.empty}>
          <p>{words.emptyText}</p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.list}>
          {data.map((made) => (
            <ExportRow key={made.id} made={made} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </AdminPage>
  )
}

const signs: Readonly<Record<string, string>> = { finished: 'success' }

function ExportRow({ made }: { made: Export }) {
  const { status, percent, size, attempts, user, created_at, started_at, finished_at } = made
  return (
    <ListRow
      aside={
        <>
          {status === 'running' && percent !== null ? (
            <ProgressBar label={words.progress} percent={percent} />
          ) : null}
          {attempts > 1 ? <span>{words.attempts(attempts)}</span> : null}
          {size === null ? null : <span>{words.size(size)}</span>}
          {finished_at ? (
            <span>
              {words.finished} <Time at={finished_at} />
            </span>
          ) : started_at ? (
            <span>
              {words.started} <Time at={started_at} />
            </span>
          ) : null}
        </>
      }
    >
      <div class="stack stack-close">
        <div class="row">
          <Status status={signs[status] ?? status} words={words.statuses[status] ?? status} />
          <Subject made={made} />
        </div>
        <p class="muted">
          {words.by} <a href={`/${user.username}`}>{user.name}</a> <Time at={created_at} />
        </p>
      </div>
    </ListRow>
  )
}

function Subject({ made: { project_path, group_path } }: { made: Export }) {
  const path = project_path ?? group_path
  if (path === null) return <strong>{words.dashboard}</strong>
  return (
    <a data-main href={`${project_path === null ? '/groups' : ''}/${encodePath(path)}`}>
      {path}
    </a>
  )
}
