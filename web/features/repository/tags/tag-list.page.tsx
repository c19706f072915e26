import type { Answer } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { repository } from '../../../text/repository.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { encodePath } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { SearchField } from '../../../ui/search-field/search-field.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { TagPage } from './tag.tsx'
import { RemoveTag, TagActions } from './tag-actions.tsx'
import { TagArchives } from './tag-archives.tsx'

type Tag = Answer<'GET /projects/:id/repository/tags'>[number]

const inputOf = ({ place, url: { searchParams } }: PlaceLocation) => ({
  id: place.id,
  per_page: 20,
  page: Number(searchParams.get('page') ?? 1),
  order_by: 'updated' as const,
  ...(searchParams.get('search') ? { search: searchParams.get('search') ?? '' } : {}),
})

/** `/-/tags/new` is the list, with the form of a new one over it. */
const nameIn = ({ place: { rest } }: PlaceLocation) => (rest === 'new' ? '' : (rest ?? ''))

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [
    nameIn(at)
      ? apiReadUrl('GET /projects/:id/repository/tags/:tag_name', {
          id: at.place.id,
          tag_name: nameIn(at),
        })
      : apiReadUrl('GET /projects/:id/repository/tags', inputOf(at)),
  ],
  View: ({ at }) => (nameIn(at) ? <TagPage at={at} name={nameIn(at)} /> : <TagList at={at} />),
}

function TagList({ at }: { at: PlaceLocation }) {
  const {
    data: tags,
    page: pages,
    refusal,
    again,
  } = useApi('GET /projects/:id/repository/tags', inputOf(at))
  return (
    <Page
      title={repository.tags}
      actions={
        <>
          <ButtonLink look="quiet" href={`${placeBasePath(at.place)}/-/releases`}>
            {repository.releases}
          </ButtonLink>
          <TagActions at={at} />
        </>
      }
    >
      <SearchField label={repository.searchTags} />
      {refusal && !tags ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {tags || refusal ? null : <LoadingRows />}
      {tags?.length === 0 ? (
        at.url.searchParams.get('search') ? (
          <EmptyState title={repository.noMatchingTags} />
        ) : (
          <EmptyState title={repository.noTags}>
            <p>{repository.noTagsText}</p>
          </EmptyState>
        )
      ) : null}
      {tags && tags.length > 0 ? (
        <List label={repository.tags}>
          {tags.map((tag) => (
            <TagRow
              key={tag.name}
              tag={tag}
              projectId={at.place.id}
              base={placeBasePath(at.place)}
            />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </Page>
  )
}

function TagRow({ tag, base, projectId }: { tag: Tag; base: string; projectId: number }) {
  const { name, commit, message, release } = tag
  return (
    <ListRow
      aside={
        <>
          {commit ? (
            <a class="mono" href={`${base}/-/commit/${commit.id}`}>
              {commit.short_id}
            </a>
          ) : null}
          <TagArchives base={base} name={name} />
          <Time at={tag.created_at ?? commit?.committed_date} />
          <RemoveTag projectId={projectId} tag={tag} />
        </>
      }
    >
      <span class="row">
        <a data-main href={`${base}/-/tags/${encodePath(name)}`}>
          <strong>{name}</strong>
        </a>
        {tag.protected ? <Chip>{repository.protectedTag}</Chip> : null}
        {release ? <Chip tone="passed">{repository.release}</Chip> : null}
      </span>
      <p class="muted one-line">{message || commit?.title}</p>
    </ListRow>
  )
}
