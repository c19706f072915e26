import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { mayInProject, useProject } from '../../../api/project.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { Prose } from '../../../surfaces/prose/prose.tsx'
import { releases as words } from '../../../text/releases.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { encodePath, navigate } from '../../../ui/navigation.ts'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { pathnameOf, placeBasePath } from '../../../ui/project-address.ts'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { EditRelease } from './release-form.page.tsx'

type Release = Answer<'GET /projects/:id/releases'>[number]

const inputOf = ({ place, url }: PlaceLocation) => ({
  id: place.id,
  per_page: 10,
  page: Number(url.searchParams.get('page') ?? 1),
  include_html_description: true,
})
const editedTag = ({ place }: PlaceLocation) => /^(.+)\/edit$/.exec(place.rest ?? '')?.[1]
const oneOf = (at: PlaceLocation) => ({
  id: at.place.id,
  tag_name: editedTag(at) ?? at.place.rest ?? '',
  include_html_description: true,
})

/** All releases, or the release of the tag in the address, to read or to edit. */
export const page: PageModule<PlaceLocation> = {
  calls: (at) => [
    at.place.rest
      ? apiReadUrl('GET /projects/:id/releases/:tag_name', oneOf(at))
      : apiReadUrl('GET /projects/:id/releases', inputOf(at)),
  ],
  View: ({ at }) => (at.place.rest ? <OneRelease at={at} /> : <ReleaseList at={at} />),
}

function ReleaseList({ at }: { at: PlaceLocation }) {
  const { data, page: pages } = useApi('GET /projects/:id/releases', inputOf(at))
  const { data: project } = useProject(at.place.id)
  const base = placeBasePath(at.place)
  const mayWrite = mayInProject(project, 'write_releases')
  const newLink = mayWrite ? (
    <ButtonLink look="primary" href={`${base}/-/releases/new`}>
      {words.new}
    </ButtonLink>
  ) : null
  return (
    <Page title={words.title} actions={newLink}>
      {data?.length === 0 ? (
        <EmptyState title={words.empty}>
          <p>{words.emptyText}</p>
          {newLink}
        </EmptyState>
      ) : null}
      {data?.map((release) => (
        <Section
          key={release.tag_name}
          title={release.name}
          actions={
            release.tag_name ? (
              <a href={releaseAddress(base, release.tag_name)}>
                {words.details}
                <span class="only-spoken"> {release.name}</span>
              </a>
            ) : null
          }
        >
          <ReleaseParts release={release} base={base} />
        </Section>
      ))}
      <Pager page={pages} />
    </Page>
  )
}

function OneRelease({ at }: { at: PlaceLocation }) {
  const { data: release } = useApi('GET /projects/:id/releases/:tag_name', oneOf(at))
  const { data: project } = useProject(at.place.id)
  if (!release) return null
  if (editedTag(at) !== undefined) return <EditRelease place={at.place} release={release} />
  const base = placeBasePath(at.place)
  const { tag_name = '' } = release
  return (
    <Page
      title={release.name}
      actions={
        <>
          {mayInProject(project, 'write_releases') ? (
            <ButtonLink href={`${releaseAddress(base, tag_name)}/edit`}>{words.edit}</ButtonLink>
          ) : null}
          {/* Maintainers may delete releases; there is no ability of its own for that. */}
          {mayInProject(project, 'write_releases') && mayInProject(project, 'change_project') ? (
            <Button look="danger" onClick={() => askToDelete(release, at)}>
              {words.delete}
            </Button>
          ) : null}
        </>
      }
    >
      <ReleaseParts release={release} base={base} />
    </Page>
  )
}

const releaseAddress = (base: string, tag: string) => `${base}/-/releases/${encodePath(tag)}`

function askToDelete({ name, tag_name = '' }: Release, { place }: PlaceLocation): void {
  confirmBefore({
    title: words.deleteOf(name),
    text: words.deleteText,
    action: words.delete,
    run: async () => {
      await call('DELETE /projects/:id/releases/:tag_name', { id: place.id, tag_name })
      invalidate(
        `/api/v4/projects/${place.id}/releases`,
        `/api/v4/projects/${place.id}/repository/tags`,
      )
      showToast(words.deleted)
      navigate(`${placeBasePath(place)}/-/releases`, { replace: true })
    },
  })
}

function ReleaseParts({ release, base }: { release: Release; base: string }) {
  const {
    tag_name = '',
    commit,
    released_at,
    upcoming_release,
    author,
    assets,
    milestones,
  } = release
  return (
    <>
      <p class="row muted">
        <a href={`${base}/-/tags/${encodePath(tag_name)}`}>{tag_name}</a>
        {commit ? (
          <a class="mono" href={`${base}/-/commit/${commit.id}`}>
            {commit.short_id}
          </a>
        ) : null}
        <Time at={released_at} />
        {author ? <span>{words.by(author.name)}</span> : null}
        {milestones?.map(({ id, title, web_url }) => (
          <a key={id} href={pathnameOf(web_url)}>
            {title}
          </a>
        ))}
        {upcoming_release ? <Chip>{words.upcoming}</Chip> : null}
      </p>
      {release.description_html ? <Prose html={release.description_html} /> : null}
      <List label={words.assets}>
        {assets.links.map(({ id, name, direct_asset_url }) => (
          <ListRow key={id}>
            <a data-main href={direct_asset_url}>
              {name}
            </a>
          </ListRow>
        ))}
        {assets.sources?.map(({ format, url }) => (
          <ListRow key={format}>
            <a data-main href={url} download>
              {words.source(format)}
            </a>
          </ListRow>
        ))}
      </List>
    </>
  )
}
