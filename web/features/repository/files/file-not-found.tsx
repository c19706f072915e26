// What stands where an address leads to no file.
import { repositoryPagesText } from '../../../text/reading.ts'
import { repository } from '../../../text/repository.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath } from '../../../ui/project-address.ts'

export function FileNotFound({ at: { place } }: { at: PlaceLocation }) {
  const path = place.path ?? ''
  return (
    <Page title={repositoryPagesText.fileNotFound(path)}>
      <EmptyState title={repositoryPagesText.fileNotFoundText(place.ref ?? '')}>
        <ButtonLink href={placeBasePath(place)}>{repository.viewCode}</ButtonLink>
      </EmptyState>
    </Page>
  )
}
