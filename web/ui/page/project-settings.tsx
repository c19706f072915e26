// The frame of a project's settings: its places, side by side.
import type { ComponentChildren } from 'preact'
import { may, useProject } from '../../api/project.ts'
import { settingsText as words } from '../../text/settings.ts'
import type { Place } from '../page-module.ts'
import { baseOf } from '../project-address.ts'
import { Tabs } from '../tabs/tabs.tsx'
import { NothingHere } from './nothing-here.tsx'
import { Page } from './page.tsx'

/** The ability that each place is for. */
const needed: Readonly<Record<string, string>> = {
  general: 'change_project',
  repository: 'protect_branches',
  ci_cd: 'manage_variables',
  access_tokens: 'change_project',
}

export function ProjectSettings({
  place,
  title,
  lead,
  children,
}: {
  place: Place
  title: string
  lead?: string
  children: ComponentChildren
}) {
  const { data: project } = useProject(place.id)
  const base = `${baseOf(place)}/-/settings`
  if (project && !may(project, needed[place.rest ?? ''] ?? '')) return <NothingHere />
  const tab = (name: string, name_words: string) =>
    may(project, needed[name] ?? '') && {
      words: name_words,
      href: `${base}/${name}`,
      isHere: place.rest === name,
    }
  return (
    <>
      <Tabs
        label={words.nav}
        tabs={[
          tab('general', words.general),
          tab('repository', words.repository),
          tab('ci_cd', words.ci),
          tab('access_tokens', words.accessTokens),
        ]}
      />
      <Page title={title} lead={lead}>
        {children}
      </Page>
    </>
  )
}
