// The frame of what administrators see of the instance: its places in a column beside the page.
import type { ComponentProps } from 'preact'
import { hasPaidTier, hasTopTier } from '../../api/session.ts'
import { adminPlaces as words } from '../../text/admin-places.ts'
import { currentUrl } from '../navigation.ts'
import { SideNav } from '../side-nav/side-nav.tsx'
import { Page } from './page.tsx'
import './admin.css'

/** Places that there are on some tiers alone. */
const needs: Readonly<Record<string, () => boolean>> = {
  '/admin/audit_events': hasPaidTier,
  '/admin/exports': hasTopTier,
}

export function AdminPage(page: ComponentProps<typeof Page>) {
  const { pathname } = currentUrl.value
  const isHere = (href: string) =>
    pathname === href || (href !== '/admin' && pathname.startsWith(`${href}/`))
  return (
    <div class="admin">
      <SideNav
        label={words.label}
        groups={words.groups.map(({ title, places }) => ({
          title,
          places: places
            .filter(([href]) => needs[href]?.() ?? true)
            .map(([href, name]) => ({ words: name, href, isHere: isHere(href) })),
        }))}
      />
      <Page {...page} />
    </div>
  )
}
