// The frame of one's own settings: a place for each, side by side.
import type { ComponentChildren } from 'preact'
import { ownSettingsPlaces } from '../../text/places.ts'
import { currentUrl } from '../navigation.ts'
import { Tabs } from '../tabs/tabs.tsx'
import { Page } from './page.tsx'

const places = [
  ['', ownSettingsPlaces.profile],
  ['/keys', ownSettingsPlaces.keys],
  ['/personal_access_tokens', ownSettingsPlaces.tokens],
  ['/applications', ownSettingsPlaces.applications],
  ['/emails', ownSettingsPlaces.emails],
  ['/notifications', ownSettingsPlaces.notifications],
  ['/password', ownSettingsPlaces.password],
  ['/two_factor_auth', ownSettingsPlaces.twoFactor],
  ['/gpg_keys', ownSettingsPlaces.gpgKeys],
  ['/active_sessions', ownSettingsPlaces.sessions],
  ['/preferences', ownSettingsPlaces.preferences],
] as const

export function OwnSettings({
  title,
  lead,
  actions,
  children,
}: {
  title: string
  lead?: string
  actions?: ComponentChildren
  children: ComponentChildren
}) {
  const { pathname } = currentUrl.value
  return (
    <>
      <Tabs
        label={ownSettingsPlaces.nav}
        tabs={places.map(([path, words]) => {
          const href = `/-/profile${path}`
          return { words, href, isHere: pathname === href }
        })}
      />
      <Page title={title} lead={lead} actions={actions}>
        {children}
      </Page>
    </>
  )
}
