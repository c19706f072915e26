// The sites of all projects for administrators: their projects, URLs and sizes.
import type { Answer } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { adminSites as words } from '../../../text/admin-lists.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, encodePath } from '../../../ui/navigation.ts'
import { OuterLink } from '../../../ui/outer-link.tsx'
import { AdminPage } from '../../../ui/page/admin.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'

type Site = Answer<'GET /pages/sites'>[number]

const inputOf = (url: URL) => ({ per_page: 50, page: Number(url.searchParams.get('page') ?? 1) })

export const page: PageModule = {
  calls: ({ url }) => [apiReadUrl('GET /pages/sites', inputOf(url))],
  View: SiteList,
}

function SiteList() {
  const {
    data,
    page: pages,
    refusal,
    again,
  } = useApi('GET /pages/sites', inputOf(currentUrl.value))
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
          {data.map((site) => (
            <SiteRow key={site.project.id} site={site} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </AdminPage>
  )
}

function SiteRow({ site }: { site: Site }) {
  const { project, url, access_level, domains, size, files, deployed_at } = site
  const path = project.path_with_namespace
  const base = `/${encodePath(path)}`
  const names = domains.map(({ domain, verified }) =>
    verified ? domain : words.unverified(domain),
  )
  return (
    <ListRow
      aside={
        <>
          <span>{words.access[access_level] ?? access_level}</span>
          <span>{words.size(size, files)}</span>
          <span>
            {words.deployed} <Time at={deployed_at} />
          </span>
          <a href={`${base}/-/pages`} aria-label={words.settingsOf(path)}>
            {words.settings}
          </a>
        </>
      }
    >
      <div class="stack stack-close">
        <p>
          <a data-main href={base}>
            {path}
          </a>
        </p>
        {url ? (
          <p>
            <OuterLink href={url}>{url}</OuterLink>
          </p>
        ) : null}
        {names.length > 0 ? <p class="muted">{words.domains(names.join(', '))}</p> : null}
      </div>
    </ListRow>
  )
}
