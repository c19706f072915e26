// The difference of two versions of a wiki page. The address names them: `?from=&to=`, or `?version_id=` for the changes
// of one version.
import { Diff } from '../../../surfaces/diff/diff.tsx'
import { wikis as words } from '../../../text/wikis.ts'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PlaceLocation } from '../../../ui/page-module.ts'
import { wikiAddress, wikiPageDiffsUrl } from './wiki-calls.ts'

export function WikiDiff({ at: { place, url }, slug }: { at: PlaceLocation; slug: string }) {
  const from = url.searchParams.get('from')
  const to = url.searchParams.get('to') ?? url.searchParams.get('version_id')
  const address = wikiAddress(place, slug)
  const versions = { ...(from ? { from } : {}), ...(to ? { to } : {}) }
  return (
    <Page
      title={words.compareTitle(slug)}
      isWide
      actions={
        <>
          <ButtonLink href={`${address}/history`}>{words.history}</ButtonLink>
          <ButtonLink href={to ? `${address}?version_id=${to}` : address}>
            {to ? words.showVersion(to.slice(0, 8)) : words.showNewest}
          </ButtonLink>
        </>
      }
    >
      <Diff
        key={`${from} ${to}`}
        urlOf={(query) => wikiPageDiffsUrl(place, slug, { ...versions, ...query })}
        fileHref={() => (to ? `${address}?version_id=${to}` : address)}
      />
    </Page>
  )
}
