import { ciSettings as words } from '../../../text/ci-settings.ts'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { GroupSettings } from '../../../ui/page/settings.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'

/** A piece of its own: settings of projects, of groups and of the instance have it. */
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
