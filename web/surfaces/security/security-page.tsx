// The frame of what is known of a project's security: its places, side by side.
import type { ComponentProps } from 'preact'
import { useAbilities } from '../../api/abilities.ts'
import { security as words } from '../../text/security.ts'
import { Page } from '../../ui/page/page.tsx'
import type { Place } from '../../ui/page-module.ts'
import { placeBasePath } from '../../ui/project-address.ts'
import { Tabs } from '../../ui/tabs/tabs.tsx'

export function SecurityPage({ place, ...page }: ComponentProps<typeof Page> & { place: Place }) {
  const can = useAbilities(place)
  const base = `${placeBasePath(place)}/-/`
  const tab = (name: string, section: string, ability: string) =>
    can(ability) && {
      words: name,
      href: base + section,
      isHere: section.split('/', 1)[0] === place.section,
    }
  return (
    <>
      <Tabs
        label={words.places}
        tabs={[
          tab(words.report, 'security/vulnerability_report', 'read_vulnerabilities'),
          tab(words.dependencies, 'dependencies', 'read_dependencies'),
          place.kind === 'project' && tab(words.licenses, 'licenses', 'read_licenses'),
        ]}
      />
      <Page {...page} />
    </>
  )
}
