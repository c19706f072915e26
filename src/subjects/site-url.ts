import type { Config } from '../config.ts'

/** Returns the URL of a project's Pages site; null if no host for sites is configured. */
export function siteUrl(pages: Config['pages'], full_path: string): string | null {
  if (pages.host === undefined) return null
  const [owner = '', ...rest] = full_path.toLowerCase().split('/')
  const host = `${owner}.${pages.host}`
  const port = pages.publicPort === '' ? '' : `:${pages.publicPort}`
  const path = rest.length === 1 && rest[0] === host ? '' : `/${rest.join('/')}`
  return `${pages.protocol}//${host}${port}${path}`
}
