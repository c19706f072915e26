import { need, useApi } from '../../../api/use-api.ts'
import { contributorText } from '../../../text/people.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { Blank } from '../../../ui/blank/blank.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { baseOf, codeUrl } from '../../../ui/place.ts'

function inputOf({ place, url }: AtPlace) {
  const page = Number(url.searchParams.get('page') ?? 1)
  return { id: place.id, order_by: 'commits' as const, sort: 'desc' as const, per_page: 50, page }
}

export const page: PageModule<AtPlace> = {
  calls: (at) => [need('GET /projects/:id/repository/contributors', inputOf(at))],
  View: ContributorList,
}

function ContributorList({ at }: { at: AtPlace }) {
  const { data, page: pages } = useApi('GET /projects/:id/repository/contributors', inputOf(at))
  const base = baseOf(at.place)
  return (
    <Page title={contributorText.title}>
      {data?.length === 0 ? <Blank title={contributorText.none} /> : null}
      <List label={contributorText.title}>
        {data?.map(({ name, email, commits }) => (
          <Row
            key={email}
            aside={
              <a
                href={`${codeUrl(base, 'commits', at.place.ref ?? 'HEAD')}?author=${encodeURIComponent(email)}`}
              >
                {contributorText.commits(commits)}
              </a>
            }
          >
            <div class="row">
              <Avatar name={name} />
              <strong>{name}</strong>
              <span class="muted">{email}</span>
            </div>
          </Row>
        ))}
      </List>
      <Pager page={pages} />
    </Page>
  )
}
