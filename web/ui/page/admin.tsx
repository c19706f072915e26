// The frame of what administrators see of the instance: its places in a column beside the page.
import type { ComponentProps } from 'preact'
import { hasPaidTier } from '../../api/session.ts'
import { adminPlaces as words } from '../../text/admin-places.ts'
import { here } from '../navigation.ts'
import { SideNav } from '../side-nav/side-nav.tsx'
import { Page } from './page.tsx'
import './admin.css'

const ofPaidTiers = ['/admin/audit_events', '/admin/exports']

export function AdminPage(page: ComponentProps<typeof Page>) {
  const { pathname } = here.value
  const isHere = (href: string) =>
    pathname === href || (href !== '/admin' && pathname.startsWith(`${href}/`))
  return (
    <div class="admin">
      <SideNav
        label={words.label}
        groups={words.groups.map(({ title, places }) => ({
          title,
          places: places
            .filter(([href]) => hasPaidTier() || !ofPaidTiers.includes(href))
            .map(([href, name]) => ({ words: name, href, isHere: isHere(href) })),
        }))}
      />
      <Page {...page} />
    </div>
  )
}
