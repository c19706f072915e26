// The frame of what a project runs and is watched by: its places, side by side.
import type { ComponentProps } from 'preact'
import { useAbilities } from '../../api/abilities.ts'
import { operatePlaces as words } from '../../text/operate-places.ts'
import { Page } from '../../ui/page/page.tsx'
import type { Place } from '../../ui/page-module.ts'
import { placeBasePath } from '../../ui/project-address.ts'
import { Tabs } from '../../ui/tabs/tabs.tsx'

export function OperatePage({ place, ...page }: ComponentProps<typeof Page> & { place: Place }) {
  const can = useAbilities(place)
  const tab = (name: string, section: string, ability: string) =>
    can(ability) && {
      words: name,
      href: `${placeBasePath(place)}/-/${section}`,
      isHere: place.section === section,
    }
  return (
    <>
      <Tabs
        label={words.label}
        tabs={[
          tab(words.alerts, 'alert_management', 'read_alerts'),
          tab(words.pages, 'pages', 'manage_pages'),
          tab(words.clusters, 'clusters', 'manage_clusters'),
        ]}
      />
      <Page {...page} />
    </>
  )
}
