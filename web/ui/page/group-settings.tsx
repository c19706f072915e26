// The frame of a group's settings: its places, side by side.
import type { ComponentChildren } from 'preact'
import { useGroup } from '../../api/group.ts'
import { settingsText as words } from '../../text/settings.ts'
import type { Place } from '../page-module.ts'
import { baseOf } from '../project-address.ts'
import { Tabs } from '../tabs/tabs.tsx'
import { NothingHere } from './nothing-here.tsx'
import { Page } from './page.tsx'

/** The ability that each place is for. */
const places = [
  ['general', words.general, 'change_group'],
  ['ci_cd', words.ci, 'manage_variables'],
] as const

export function GroupSettings({
  place,
  title,
  children,
}: {
  place: Place
  title: string
  children: ComponentChildren
}) {
  const { data: group } = useGroup(place.id)
  if (!group) return null
  const may = (group.abilities ?? {}) as Record<string, boolean>
  const here = places.find(([name]) => name === place.rest)
  if (!may[here?.[2] ?? '']) return <NothingHere />
  return (
    <>
      <Tabs
        label={words.groupNav}
        tabs={places.map(
          ([name, name_words, ability]) =>
            may[ability] && {
              words: name_words,
              href: `${baseOf(place)}/-/settings/${name}`,
              isHere: name === place.rest,
            },
        )}
      />
      <Page title={title}>{children}</Page>
    </>
  )
}
