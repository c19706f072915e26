import { ciSettings as words } from '../../../text/ci-settings.ts'
import { lazy } from '../../../ui/lazy.tsx'
import { GroupSettings } from '../../../ui/page/settings.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'

/** A piece of its own: settings of projects, of groups and of the instance have it. */
const Variables = lazy(() => import('./variables.parts.tsx').then(({ Variables: View }) => View))

export const page: PageModule<AtPlace> = {
  View: ({ at: { place } }) => (
    <GroupSettings place={place} title={words.title}>
      <Variables kind="groups" id={place.id} />
    </GroupSettings>
  ),
}
