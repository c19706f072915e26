// What stands where an address leads to no file.
import { reading } from '../../../text/reading.ts'
import { repository } from '../../../text/repository.ts'
import { Blank } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace } from '../../../ui/page-module.ts'
import { baseOf } from '../../../ui/project-address.ts'

export function Missing({ at: { place } }: { at: AtPlace }) {
  const path = place.path || (place.rest ?? '')
  return (
    <Page title={reading.fileNotFound(path)}>
      <Blank title={reading.fileNotFoundText(place.ref ?? '')}>
        <ButtonLink href={baseOf(place)}>{repository.viewCode}</ButtonLink>
      </Blank>
    </Page>
  )
}
