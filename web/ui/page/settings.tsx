// The frames of a project's and of a group's settings: their places, side by side.
import type { ComponentChildren } from 'preact'
import { mayInGroup, useGroup } from '../../api/group.ts'
import { mayInProject, useProject } from '../../api/project.ts'
import { settingsText as words } from '../../text/places.ts'
import type { Place } from '../page-module.ts'
import { placeBasePath } from '../project-address.ts'
import { Tabs } from '../tabs/tabs.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { Page } from './page.tsx'

type SettingsProps = {
  place: Place
  title: string
  lead?: string
  actions?: ComponentChildren
  children: ComponentChildren
}
/** The end of its address, which begins with a slash where it is not below the settings; its name; the ability it is for. */
type SettingsPlace = readonly [end: string, words: string, ability: string]

const ofProject: readonly SettingsPlace[] = [
  ['general', words.general, 'change_project'],
  ['repository', words.repository, 'protect_branches'],
  ['ci_cd', words.ci, 'manage_variables'],
  ['access_tokens', words.accessTokens, 'change_project'],
  ['integrations', words.integrations, 'change_project'],
  ['hooks', words.webhooks, 'manage_webhooks'],
  ['monitor', words.monitor, 'read_alert_integrations'],
  ['/audit_events', words.auditEvents, 'read_audit_events'],
]
const ofGroup: readonly SettingsPlace[] = [
  ['general', words.general, 'change_group'],
  ['ci_cd', words.ci, 'manage_variables'],
  ['hooks', words.webhooks, 'manage_webhooks'],
  ['/audit_events', words.auditEvents, 'read_audit_events'],
]

export function ProjectSettings(props: SettingsProps) {
  const { data: project } = useProject(props.place.id)
  return project ? (
    <Frame
      {...props}
      label={words.nav}
      places={ofProject}
      can={(ability) => mayInProject(project, ability)}
    />
  ) : null
}

export function GroupSettings(props: SettingsProps) {
  const { data: group } = useGroup(props.place.id)
  return group ? (
    <Frame
      {...props}
      label={words.groupNav}
      places={ofGroup}
      can={(ability) => mayInGroup(group, ability)}
    />
  ) : null
}

function Frame({
  place,
  title,
  lead,
  actions,
  children,
  label,
  places,
  can,
}: SettingsProps & {
  label: string
  places: readonly SettingsPlace[]
  can: (ability: string) => boolean
}) {
  const shown = places.filter(([, , ability]) => can(ability))
  const [below] = (place.rest ?? '').split('/', 1)
  const here = place.section === 'settings' ? below : `/${place.section}`
  if (!shown.some(([end]) => end === here)) return <NotFoundPage />
  return (
    <>
      <Tabs
        label={label}
        tabs={shown.map(([end, name]) => ({
          words: name,
          href: `${placeBasePath(place)}/-${end.startsWith('/') ? '' : '/settings/'}${end}`,
          isHere: end === here,
        }))}
      />
      <Page title={title} lead={lead} actions={actions}>
        {children}
      </Page>
    </>
  )
}
