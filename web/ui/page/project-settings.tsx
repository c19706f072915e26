// The frame of a project's settings: its places, side by side.
import type { ComponentChildren } from 'preact'
import { may, useProject } from '../../api/project.ts'
import { settingsText as words } from '../../text/settings.ts'
import type { Place } from '../page-module.ts'
import { baseOf } from '../project-address.ts'
import { Tabs } from '../tabs/tabs.tsx'
import { Page } from './page.tsx'

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
  const tab = (name: string, name_words: string, isOffered: boolean) =>
    isOffered && { words: name_words, href: `${base}/${name}`, isHere: place.rest === name }
  return (
    <>
      <Tabs
        label={words.nav}
        tabs={[
          tab('general', words.general, may(project, 'change_project')),
          tab('repository', words.repository, may(project, 'protect_branches')),
          tab('ci_cd', words.ci, may(project, 'manage_variables')),
          tab('access_tokens', words.accessTokens, may(project, 'change_project')),
        ]}
      />
      <Page title={title} lead={lead}>
        {children}
      </Page>
    </>
  )
}
