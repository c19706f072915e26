// The page for a URL with a branch, tag or commit that the repository does not have.
import { repositoryPagesText } from '../../../text/reading.ts'
import { repository } from '../../../text/repository.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath } from '../../../ui/project-address.ts'

export const page: PageModule<PlaceLocation> = { View: RefNotFound }

function RefNotFound({ at: { place } }: { at: PlaceLocation }) {
  const base = placeBasePath(place)
  return (
    <Page title={repositoryPagesText.refNotFound}>
      <EmptyState title={repositoryPagesText.refNotFoundText(place.rest ?? '')}>
        <p class="row">
          <ButtonLink href={base}>{repository.viewCode}</ButtonLink>
          <ButtonLink href={`${base}/-/branches`}>{repository.branches}</ButtonLink>
        </p>
      </EmptyState>
    </Page>
  )
}
