// Public functions of Pages sites: which site an address refers to, and who may see it.
import { isAdmin, type Viewer } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import { visibilitiesOpenTo } from '../../../access/visibility.ts'
import { defineListLoader, defineRowLoader } from '../../../db/compiled-query.ts'
import type { Db } from '../../../db/db.ts'
import { lowerCaseExpression } from '../../../db/dialect.ts'

function siteQuery(db: Db) {
  return db
    .selectFrom('pages_sites')
    .innerJoin('projects', 'projects.id', 'pages_sites.project_id')
    .select([
      'pages_sites.project_id',
      'pages_sites.blob',
      'pages_sites.size',
      'pages_sites.root',
      'pages_sites.created_at',
      'projects.visibility',
      'projects.pages_access_level',
      'projects.pages_https_only',
    ])
    .where('projects.state', '=', 'ready')
    .where('projects.pages_access_level', '!=', 'disabled')
}

const siteByProject = defineRowLoader((db, { project_id }: { project_id: number }) =>
  siteQuery(db).where('pages_sites.project_id', '=', project_id),
)

export type PagesSite = NonNullable<Awaited<ReturnType<typeof siteByProject>>>

export function findPagesSite(db: Db, project_id: number): Promise<PagesSite | undefined> {
  return siteByProject(db, { project_id })
}

/**
 * Finds sites by a number of project paths in lower case. The query is compiled once for each number, since
 * each file of a site is looked up with other paths.
 */
const sitesByPaths = (count: number) =>
  defineListLoader((db, given: Record<string, string>) =>
    siteQuery(db)
      .innerJoin('routes', 'routes.project_id', 'projects.id')
      .select('routes.path')
      .where(
        lowerCaseExpression('routes.path'),
        'in',
        Array.from({ length: count }, (_, at) => given[at] ?? ''),
      ),
  )
const sitesByFew = { count: 4, find: sitesByPaths(4) }
const sitesByMany = { count: 24, find: sitesByPaths(24) }

/** The maximum depth of a project whose site has a URL below the Pages host. */
const depth_max = 22

/**
 * Returns the site at a path below the host of a group or user, and how many parts of the path belong to its URL: the site
 * of the project with that path, otherwise of the project that is named like the host (docs/api/pages.md, "Addresses").
 */
export async function findPagesSiteAtPath(
  db: Db,
  { pagesHost, owner, parts }: { pagesHost: string; owner: string; parts: readonly string[] },
): Promise<{ site: PagesSite; named: number } | undefined> {
  const own = `${owner}/${owner}.${pagesHost}`
  const paths = [own]
  let path = owner
  for (const part of parts.slice(0, depth_max)) {
    if (!/^[a-z0-9_.-]{1,255}$/i.test(part)) break
    path += `/${part.toLowerCase()}`
    paths.push(path)
  }
  const { count, find } = paths.length > sitesByFew.count ? sitesByMany : sitesByFew
  const given = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [String(at), paths[at] ?? own]),
  )
  const sites = await find(db, given)
  const found = new Map(sites.map((site) => [site.path.toLowerCase(), site]))
  for (let named = paths.length - 1; named > 0; named--) {
    const site = found.get(paths[named] ?? '')
    if (site) return { site, named }
  }
  const site = found.get(own)
  return site && { site, named: 0 }
}

/** Whether the viewer may see the site: everybody for a public site, otherwise members (docs/api/pages.md, "Access"). */
export function isPagesSiteVisibleTo(
  viewer: Viewer,
  { site, level }: { site: Pick<PagesSite, 'visibility' | 'pages_access_level'>; level: number },
): boolean {
  const { pages_access_level, visibility } = site
  if (pages_access_level === 'disabled') return false
  if (pages_access_level === 'public') return true
  const isMember = level >= Level.guest || isAdmin(viewer)
  if (pages_access_level === 'private') return isMember
  return isMember || visibilitiesOpenTo(viewer).includes(visibility)
}
