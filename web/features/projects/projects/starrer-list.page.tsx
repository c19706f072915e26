import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { repository } from '../../../text/repository.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { PeopleList } from '../../../ui/people-list.tsx'
import { Time } from '../../../ui/time/time.tsx'

const inputOf = ({ place, url }: PlaceLocation) => ({
  id: place.id,
  per_page: 30,
  page: Number(url.searchParams.get('page') ?? 1),
})

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [apiReadUrl('GET /projects/:id/starrers', inputOf(at))],
  View: ({ at }) => {
    const { data, page: pages } = useApi('GET /projects/:id/starrers', inputOf(at))
    const sinceOf = (id: number) => data?.find(({ user }) => user.id === id)?.starred_since
    return (
      <Page title={repository.starrers}>
        {data?.length === 0 ? <EmptyState title={repository.noStarrers} /> : null}
        {data && data.length > 0 ? (
          <PeopleList
            label={repository.starrers}
            people={data.map(({ user }) => user)}
            asideOf={({ id }) => (
              <span>
                {repository.starredSince} <Time at={sinceOf(id)} />
              </span>
            )}
          />
        ) : null}
        <Pager page={pages} />
      </Page>
    )
  },
}
