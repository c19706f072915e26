import { ciSettings as words } from '../../../text/ci-settings.ts'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { GroupSettings } from '../../../ui/page/settings.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'

/** A chunk of its own, since the settings of projects, groups and the instance share it. */
const Variables = lazyComponent(() =>
  import('./variables.parts.tsx').then(({ VariablesSection: View }) => View),
)

export const page: PageModule<PlaceLocation> = {
  View: ({ at: { place } }) => (
    <GroupSettings place={place} title={words.title}>
      <Variables kind="groups" id={place.id} />
    </GroupSettings>
  ),
}
