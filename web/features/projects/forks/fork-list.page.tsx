import { need, useApi } from '../../../api/use-api.ts'
import { forkText } from '../../../text/people.ts'
import { Blank } from '../../../ui/blank/blank.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { ProjectRows } from '../../../ui/project-rows/project-rows.tsx'

const inputOf = ({ place, url }: AtPlace) => ({
  id: place.id,
  per_page: 30,
  page: Number(url.searchParams.get('page') ?? 1),
})

export const page: PageModule<AtPlace> = {
  calls: (at) => [need('GET /projects/:id/forks', inputOf(at))],
  View: ForkList,
}

function ForkList({ at }: { at: AtPlace }) {
  const { data, page: pages } = useApi('GET /projects/:id/forks', inputOf(at))
  return (
    <Page title={forkText.title}>
      {data?.length === 0 ? <Blank title={forkText.none} /> : null}
      {data && data.length > 0 ? <ProjectRows list={data} label={forkText.title} /> : null}
      <Pager page={pages} />
    </Page>
  )
}
