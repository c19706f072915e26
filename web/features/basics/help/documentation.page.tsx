// One page of the documentation that the server came with.
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { Prose } from '../../../surfaces/prose/prose.tsx'
import { helpPagesText as words } from '../../../text/help.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PageLocation, PageModule } from '../../../ui/page-module.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'

const inputOf = ({ url: { pathname } }: PageLocation) => ({ path: pathname.slice('/help/'.length) })

export const page: PageModule = {
  calls: (at) => [apiReadUrl('GET /help/page', inputOf(at))],
  View: Documentation,
}

function Documentation({ at }: { at: PageLocation }) {
  const { data, refusal, again } = useApi('GET /help/page', inputOf(at))
  if (refusal?.status === 404) return <NotFoundPage />
  if (refusal && !data) return <RefusalNote refusal={refusal} onAgain={again} />
  if (!data) return null
  return (
    <Page title={data.title}>
      <p>
        <a href="/help">{words.title}</a>
      </p>
      <Prose html={data.html} />
    </Page>
  )
}
