// All groups with their sizes, for administrators.
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call, type Input } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { instanceGroups as words } from '../../../text/admin-groups.ts'
import { projects } from '../../../text/projects.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
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
import { showToast } from '../../../ui/toast/toast.tsx'

type Group = Answer<'GET /groups'>[number]

function inputOf({ searchParams }: URL): Input<'GET /groups'> {
  const search = searchParams.get('search')
  return {
    statistics: true,
    all_available: true,
    per_page: 50,
    page: Number(searchParams.get('page') ?? 1),
    ...(search ? { search } : {}),
  }
}

export const page: PageModule = {
  calls: ({ url }) => [apiReadUrl('GET /groups', inputOf(url))],
  View: AdminGroupList,
}

function AdminGroupList() {
  const { data, page: pages, refusal, again } = useApi('GET /groups', inputOf(currentUrl.value))
  const isSearched = currentUrl.value.searchParams.has('search')
  return (
    <AdminPage
      title={words.title}
      actions={
        <ButtonLink look="primary" href="/groups/new">
          {words.new}
        </ButtonLink>
      }
    >
      <ListFilter label={words.filter} />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={isSearched ? words.noMatches : words.empty} />
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.list}>
          {data.map((group) => (
            <GroupLine key={group.id} group={group} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </AdminPage>
  )
}

function GroupLine({ group }: { group: Group }) {
  const { id, full_path: path, visibility, statistics } = group
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(path),
      text: words.removeText,
      action: words.remove,
      typed: path,
      run: async () => {
        await call('DELETE /groups/:id', { id })
        invalidate('/api/v4/groups')
        showToast(words.removed(path))
      },
    })
  return (
    <ListRow
      aside={
        <>
          <Chip>{projects.visibility[visibility]}</Chip>
          {statistics ? <span>{words.size(statistics.storage_size)}</span> : null}
          <Menu
            look="quiet"
            label={words.menu(path)}
            items={[
              { words: words.settings, run: () => navigate(`/groups/${path}/-/settings/general`) },
              { words: words.members, run: () => navigate(`/groups/${path}/-/group_members`) },
              { words: words.remove, run: remove, isDanger: true },
            ]}
          >
            {words.menuSign}
          </Menu>
        </>
      }
    >
      <a data-main href={`/groups/${path}`}>
        {path}
      </a>
      {group.description ? <p class="muted one-line">{group.description}</p> : null}
    </ListRow>
  )
}
