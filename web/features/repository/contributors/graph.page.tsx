import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { repository } from '../../../text/repository.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import './graph.css'

const inputOf = ({ place, url }: PlaceLocation) => ({
  id: place.id,
  order_by: 'commits' as const,
  sort: 'desc' as const,
  per_page: 50,
  page: Number(url.searchParams.get('page') ?? 1),
})

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [
    apiReadUrl('GET /projects/:id/repository/contributors', inputOf(at)),
    apiReadUrl('GET /projects/:id/languages', { id: at.place.id }),
  ],
  View: Graph,
}

function Graph({ at }: { at: PlaceLocation }) {
  const { data: people, page: pages } = useApi(
    'GET /projects/:id/repository/contributors',
    inputOf(at),
  )
  const { data: languages } = useApi('GET /projects/:id/languages', { id: at.place.id })
  const most = Math.max(1, ...(people ?? []).map(({ commits }) => commits))
  const [base, ref] = [placeBasePath(at.place), at.place.ref ?? 'HEAD']
  return (
    <Page title={repository.contributors}>
      {people?.length === 0 ? <EmptyState title={repository.noContributors} /> : null}
      {people && people.length > 0 ? (
        <List label={repository.contributors}>
          {people.map(({ name, email, commits }) => (
            <ListRow
              key={`${name} ${email}`}
              aside={
                <a
                  class="graph-count"
                  href={`${base}/-/commits/${encodeURIComponent(ref)}?author=${encodeURIComponent(email)}`}
                >
                  {repository.commitsCount(commits)}
                </a>
              }
            >
              <span class="graph-who">
                <Avatar name={name} />
                <strong>{name}</strong>
                <span class="muted one-line">{email}</span>
              </span>
              <meter class="graph-bar" min={0} max={most} value={commits} aria-label={name} />
            </ListRow>
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
      {languages && Object.keys(languages).length > 0 ? (
        <Section title={repository.languages}>
          <ul class="graph-languages">
            {Object.entries(languages).map(([name, share]) => (
              <li key={name}>
                <span>{name}</span>
                <span class="muted">{repository.percent(share)}</span>
                <meter class="graph-bar" min={0} max={100} value={share} aria-label={name} />
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
    </Page>
  )
}
