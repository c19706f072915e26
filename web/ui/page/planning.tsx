// The frame of what work of a project or group is planned by: its places, side by side.
import type { ComponentProps } from 'preact'
import { useProject } from '../../api/project.ts'
import { user } from '../../api/session.ts'
import { planningPlaces as words } from '../../text/places.ts'
import type { Place } from '../page-module.ts'
import { placeBasePath } from '../project-address.ts'
import { Tabs } from '../tabs/tabs.tsx'
import { Page } from './page.tsx'

/** Boards, labels and milestones are shown to those who have an account: others see the page without the places. */
export function PlanningPage({
  place,
  ...page
}: ComponentProps<typeof Page> & { place: Place | undefined }) {
  return (
    <>
      {place && user.value ? <Places place={place} /> : null}
      <Page {...page} />
    </>
  )
}

function Places({ place }: { place: Place }) {
  const isProject = place.kind === 'project'
  const { data: project } = useProject(place.id, { isAsked: isProject })
  const base = `${placeBasePath(place)}/-/`
  const hasIssues = !isProject || project?.issues_enabled
  const tab = (name: string, section: string, isOffered = true) =>
    isOffered && { words: name, href: base + section, isHere: place.section === section }
  return (
    <Tabs
      label={words.label}
      tabs={[
        tab(words.issues, 'issues', hasIssues),
        tab(words.boards, 'boards', hasIssues),
        tab(words.labels, 'labels'),
        tab(words.milestones, 'milestones'),
      ]}
    />
  )
}
