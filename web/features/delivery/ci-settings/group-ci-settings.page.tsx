import { ciSettings as words } from '../../../text/ci-settings.ts'
import { GroupSettings } from '../../../ui/page/settings.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { Variables } from './variables.parts.tsx'

export const page: PageModule<AtPlace> = {
  View: ({ at: { place } }) => (
    <GroupSettings place={place} title={words.title}>
      <Variables kind="groups" id={place.id} />
    </GroupSettings>
  ),
}
