import { mayInGroup, useGroup } from '../../../api/group.ts'
import { ciSettings as words } from '../../../text/ci-settings.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { RunnersSection } from './runners.parts.tsx'

export const page: PageModule<PlaceLocation> = { View: GroupRunners }

function GroupRunners({ at: { place } }: { at: PlaceLocation }) {
  const { data: group } = useGroup(place.id)
  if (!group) return null
  if (!mayInGroup(group, 'manage_runners')) return <NotFoundPage />
  return (
    <Page title={words.runners} lead={words.runnersLead.groups}>
      <RunnersSection kind="groups" id={place.id} />
    </Page>
  )
}
