// The releases of all projects of a group, newest first.
import type { Release } from '../../../api/operations.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { releases as words } from '../../../text/releases.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { pathnameOf } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'

const route = 'GET /groups/:id/releases'

const inputOf = (id: number, url: URL) => ({
  id,
  per_page: 30,
  page: Number(url.searchParams.get('page') ?? 1),
})

export const page: PageModule<PlaceLocation> = {
  calls: ({ place, url }) => [apiReadUrl(route, inputOf(place.id, url))],
  View: GroupReleaseList,
}

function GroupReleaseList({ at: { place } }: { at: PlaceLocation }) {
  const { data, page: pages, refusal, again } = useApi(route, inputOf(place.id, currentUrl.value))
  // The type also covers lists with `simple`, which have other records.
  const releases = data as readonly Release[] | undefined
  return (
    <Page title={words.title} lead={words.groupLead}>
      {refusal && !releases ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {releases || refusal ? null : <LoadingRows />}
      {releases?.length === 0 ? (
        <EmptyState title={words.empty}>
          <p>{words.emptyText}</p>
        </EmptyState>
      ) : null}
      {releases && releases.length > 0 ? (
        <List label={words.title}>
          {releases.map((release) => (
            <ReleaseRow key={release._links.self ?? release.name} release={release} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </Page>
  )
}

function ReleaseRow({ release }: { release: Release }) {
  const { name, tag_name, tag_path, author, released_at, upcoming_release, _links } = release
  const [project] = tag_path?.split('/-/', 1) ?? []
  return (
    <ListRow
      aside={
        <>
          {upcoming_release ? <Chip>{words.upcoming}</Chip> : null}
          {author ? <span>{words.by(author.name)}</span> : null}
          <Time at={released_at} />
        </>
      }
    >
      {/* For readers without access to the code, the API returns no URL of the release. */}
      {_links.self ? (
        <a data-main href={pathnameOf(_links.self)}>
          {name}
        </a>
      ) : (
        name
      )}
      {project === undefined ? null : (
        <p class="row muted">
          <span>{decodeURIComponent(project.slice(1))}</span>
          <span>{tag_name}</span>
        </p>
      )}
    </ListRow>
  )
}
