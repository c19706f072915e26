// Finds the site of a request by its host and path.

import type { Config } from '../../config.ts'
import {
  findPagesSite,
  findPagesSiteAtPath,
  type PagesSite,
} from '../../features/content/pages/pages.ts'
import { findServedPagesDomain } from '../../features/content/pages-domains/pages-domain.ts'
import type { Instance } from '../../http/endpoint.ts'
import { timestamp } from '../../kernel/clock.ts'

export type SitePlace = {
  site: PagesSite
  /** What the path below the site is: decoded, without a slash at its beginning; undefined for no slash at all. */
  path: string | undefined
  /** How many parts of the address before it name the site. */
  named: number
}

/** Returns the host in lower case, without its port and a trailing dot; undefined for a malformed header. */
export function parseHostHeader(header: string | undefined): string | undefined {
  const [, host] = /^([a-z0-9](?:[a-z0-9.-]{0,253}))(?::\d{1,5})?$/i.exec(header ?? '') ?? []
  return host?.toLowerCase().replace(/\.$/, '')
}

/** Finds the site for a host and path. `path` is decoded and begins with a slash. */
export async function findSitePlace(
  { db, clock, config }: Pick<Instance, 'db' | 'clock' | 'config'>,
  { host, path }: { host: string; path: string },
): Promise<SitePlace | undefined> {
  const pagesHost = config.pages.host
  if (pagesHost === undefined || !host.endsWith(`.${pagesHost}`)) {
    const domain = await findServedPagesDomain(db, { domain: host, now: timestamp(clock) })
    const site = domain && (await findPagesSite(db, domain.project_id))
    return site && { site, path: path.slice(1), named: 0 }
  }
  const owner = host.slice(0, -pagesHost.length - 1)
  const parts = path.slice(1).split('/')
  const found = await findPagesSiteAtPath(db, { pagesHost, owner, parts })
  if (!found) return undefined
  const { site, named } = found
  const rest = parts.slice(named)
  return { site, named, path: rest.length === 0 ? undefined : rest.join('/') }
}

/** Whether a host is below the host of Pages sites, whether or not a site exists there. */
export function isBelowPagesHost({ pages }: Config, host: string): boolean {
  return pages.host !== undefined && host.endsWith(`.${pages.host}`)
}
