import { findCachedFile } from '../../../api/file.ts'
import { repositoryPagesText } from '../../../text/reading.ts'
import { repository } from '../../../text/repository.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath } from '../../../ui/project-address.ts'
import { useFile } from './use-file.ts'

/** Another repository at a commit; `.gitmodules` says which. */
export function Submodule({ at: { place } }: { at: PlaceLocation }) {
  const modules = { ...place, path: '.gitmodules', entry_type: 'blob' as const }
  useFile(modules)
  const text = findCachedFile({
    id: place.id,
    path: '.gitmodules',
    commit: place.commit ?? '',
  })?.text
  const url = text === undefined ? undefined : urlIn(text, place.path ?? '')
  return (
    <Page title={place.path ?? ''}>
      <EmptyState title={repositoryPagesText.submoduleTitle}>
        {url ? <p class="mono">{url}</p> : null}
        {url?.startsWith('https://') || url?.startsWith('http://') ? (
          <ButtonLink href={url} rel="noreferrer">
            {repositoryPagesText.submoduleOpen}
          </ButtonLink>
        ) : null}
        <ButtonLink href={placeBasePath(place)}>{repository.viewCode}</ButtonLink>
      </EmptyState>
    </Page>
  )
}

/** The `url` of the section whose `path` it is. */
function urlIn(text: string, path: string): string | undefined {
  for (const section of text.split(/^\s*\[/m)) {
    const values = new Map(
      section.split('\n').map((line) => {
        const at = line.indexOf('=')
        return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
      }),
    )
    if (values.get('path') === path) return values.get('url')
  }
  return undefined
}
