// The frame of what a project's pipelines make and are made of: its places, side by side.
import type { ComponentProps } from 'preact'
import { mayInProject, useProject } from '../../api/project.ts'
import { user } from '../../api/session.ts'
import { deliveryPlaces as words } from '../../text/places.ts'
import type { Place } from '../page-module.ts'
import { placeBasePath } from '../project-address.ts'
import { Tabs } from '../tabs/tabs.tsx'
import { Page } from './page.tsx'

export function DeliveryPage({ place, ...page }: ComponentProps<typeof Page> & { place: Place }) {
  const { data: project } = useProject(place.id)
  const base = `${placeBasePath(place)}/-/`
  const tab = (name: string, section: string, isOffered: boolean) =>
    isOffered && {
      words: name,
      href: base + section,
      isHere: place.section === section.split('/', 1)[0],
    }
  const reads = mayInProject(project, 'read_pipelines')
  return (
    <>
      <Tabs
        label={words.label}
        tabs={[
          tab(words.pipelines, 'pipelines', reads),
          tab(words.jobs, 'jobs', reads),
          tab(words.environments, 'environments', mayInProject(project, 'read_environments')),
          tab(words.artifacts, 'artifacts', reads && Boolean(user.value)),
          tab(words.editor, 'ci/editor', mayInProject(project, 'push_code')),
        ]}
      />
      <Page {...page} />
    </>
  )
}
