// All projects with how much they hold, for administrators.
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call, type Input } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { instanceProjects as words } from '../../../text/admin-projects.ts'
import { projects } from '../../../text/projects.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { ListFilter } from '../../../ui/list/list-filter.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { currentUrl, navigate } from '../../../ui/navigation.ts'
import { AdminPage } from '../../../ui/page/admin.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

type Asked = Input<'GET /projects'>
type Listed = Extract<Answer<'GET /projects'>[number], { visibility: unknown }>

function inputOf({ searchParams }: URL): Asked {
  const search = searchParams.get('search')
  const order_by = (searchParams.get('sort') ?? 'last_activity_at') as NonNullable<
    Asked['order_by']
  >
  return {
    statistics: true,
    order_by,
    sort: order_by === 'name' ? 'asc' : 'desc',
    per_page: 50,
    page: Number(searchParams.get('page') ?? 1),
    ...(search ? { search, search_namespaces: true } : {}),
  }
}

export const page: PageModule = {
  calls: ({ url }) => [apiReadUrl('GET /projects', inputOf(url))],
  View: AdminProjectList,
}

function AdminProjectList() {
  const { data, page: pages, refusal, again } = useApi('GET /projects', inputOf(currentUrl.value))
  const listed = data as readonly Listed[] | undefined
  const isSearched = currentUrl.value.searchParams.has('search')
  return (
    <AdminPage title={words.title}>
      <ListFilter label={words.filter} orders={words.orders} />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={isSearched ? words.noMatches : words.empty} />
      ) : null}
      {listed && listed.length > 0 ? (
        <List label={words.list}>
          {listed.map((project) => (
            <ProjectLine key={project.id} project={project} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </AdminPage>
  )
}

function ProjectLine({ project }: { project: Listed }) {
  const { id, path_with_namespace: path, visibility, statistics } = project
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(path),
      text: words.removeText,
      action: words.remove,
      typed: path,
      run: async () => {
        await call('DELETE /projects/:id', { id })
        invalidate('/api/v4/projects')
        showToast(words.removed(path))
      },
    })
  const storage = 'repository_storage' in project ? String(project.repository_storage) : ''
  return (
    <ListRow
      aside={
        <>
          <Chip>{projects.visibility[visibility]}</Chip>
          {project.archived ? <Chip tone="warning">{projects.archived}</Chip> : null}
          {statistics ? <span>{words.size(statistics.storage_size)}</span> : null}
          {storage ? <span>{words.onStorage(storage)}</span> : null}
          <Time at={project.last_activity_at} />
          <Menu
            look="quiet"
            label={words.menu(path)}
            items={[
              { words: words.settings, run: () => navigate(`/${path}/-/settings/general`) },
              { words: words.members, run: () => navigate(`/${path}/-/project_members`) },
              { words: words.remove, run: remove, isDanger: true },
            ]}
          >
            {words.menuSign}
          </Menu>
        </>
      }
    >
      <a data-main href={`/${path}`}>
        {path}
      </a>
    </ListRow>
  )
}
