import type { Config } from '../config.ts'

/** Where the site of a project is below the host of sites; null without such a host. */
export function siteUrl(pages: Config['pages'], full_path: string): string | null {
  if (pages.host === undefined) return null
  const [owner = '', ...rest] = full_path.toLowerCase().split('/')
  const host = `${owner}.${pages.host}`
  const port = pages.publicPort === '' ? '' : `:${pages.publicPort}`
  const path = rest.length === 1 && rest[0] === host ? '' : `/${rest.join('/')}`
  return `${pages.protocol}//${host}${port}${path}`
}
