// The frame of one's own settings: a place for each, side by side.
import type { ComponentChildren } from 'preact'
import { own } from '../../text/places.ts'
import { currentUrl } from '../navigation.ts'
import { Tabs } from '../tabs/tabs.tsx'
import { Page } from './page.tsx'

const places = [
  ['', own.profile],
  ['/keys', own.keys],
  ['/personal_access_tokens', own.tokens],
  ['/applications', own.applications],
  ['/emails', own.emails],
  ['/notifications', own.notifications],
  ['/password', own.password],
  ['/two_factor_auth', own.twoFactor],
  ['/gpg_keys', own.gpgKeys],
  ['/active_sessions', own.sessions],
  ['/preferences', own.preferences],
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
        label={own.nav}
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
