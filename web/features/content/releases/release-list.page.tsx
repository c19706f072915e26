import type { Answer } from '../../../api/call.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { Prose } from '../../../surfaces/prose/prose.tsx'
import { releases as words } from '../../../text/releases.ts'
import { Blank } from '../../../ui/blank/blank.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { encodePath } from '../../../ui/navigation.ts'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { baseOf } from '../../../ui/project-address.ts'
import { Time } from '../../../ui/time/time.tsx'

type Release = Answer<'GET /projects/:id/releases'>[number]

const inputOf = ({ place, url }: AtPlace) => ({
  id: place.id,
  per_page: 10,
  page: Number(url.searchParams.get('page') ?? 1),
  include_html_description: true,
})
const oneOf = ({ place }: AtPlace) => ({
  id: place.id,
  tag_name: place.rest ?? '',
  include_html_description: true,
})

/** All releases, or the one of the tag that the address names. */
export const page: PageModule<AtPlace> = {
  calls: (at) => [
    at.place.rest
      ? need('GET /projects/:id/releases/:tag_name', oneOf(at))
      : need('GET /projects/:id/releases', inputOf(at)),
  ],
  View: ({ at }) => (at.place.rest ? <OneRelease at={at} /> : <ReleaseList at={at} />),
}

function ReleaseList({ at }: { at: AtPlace }) {
  const { data, page: pages } = useApi('GET /projects/:id/releases', inputOf(at))
  const base = baseOf(at.place)
  return (
    <Page title={words.title}>
      {data?.length === 0 ? (
        <Blank title={words.empty}>
          <p>{words.emptyText}</p>
        </Blank>
      ) : null}
      {data?.map((release) => (
        <Section key={release.tag_name} title={release.name}>
          <ReleaseParts release={release} base={base} />
        </Section>
      ))}
      <Pager page={pages} />
    </Page>
  )
}

function OneRelease({ at }: { at: AtPlace }) {
  const { data: release } = useApi('GET /projects/:id/releases/:tag_name', oneOf(at))
  if (!release) return null
  return (
    <Page title={release.name}>
      <ReleaseParts release={release} base={baseOf(at.place)} />
    </Page>
  )
}

function ReleaseParts({ release, base }: { release: Release; base: string }) {
  const { tag_name = '', commit, released_at, upcoming_release, author, assets } = release
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
        {upcoming_release ? <Chip>{words.upcoming}</Chip> : null}
      </p>
      {release.description_html ? <Prose html={release.description_html} /> : null}
      <List label={words.assets}>
        {assets.links.map(({ id, name, direct_asset_url }) => (
          <Row key={id}>
            <a data-main href={direct_asset_url}>
              {name}
            </a>
          </Row>
        ))}
        {assets.sources?.map(({ format, url }) => (
          <Row key={format}>
            <a data-main href={url} download>
              {words.source(format)}
            </a>
          </Row>
        ))}
      </List>
    </>
  )
}
