// Reads wiki pages at the newest commit or at another one.
import { LRUCache } from 'lru-cache'
import type { GitAccess } from '../../../git/git.ts'
import { asOid, checkTreePath, type Oid, type RefName } from '../../../git/names.ts'
import { readHeadBranch, readRef } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { findTreeEntry, walkTree } from '../../../git/trees.ts'
import { tooLarge } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import type { MarkupFormat } from '../../basics/markdown/markup-format-of-path.ts'
import {
  baseNameOfWikiSlug,
  folderOfWikiSlug,
  wikiPageOfPath,
  wikiSlugOfTitle,
  wikiTitleOfSlug,
} from './page-name.ts'

/** `path` is the path of the file and `oid` the id of its blob. */
export type WikiPage = { path: string; oid: Oid; slug: string; title: string; format: MarkupFormat }

/** A commit of a wiki's repository. */
export type WikiVersion = { repository: Repository; commit: Oid; tree: Oid }

/** The branch with the pages, which may not exist yet. */
export function wikiBranch(repository: Repository): RefName {
  return readHeadBranch(repository) ?? ('refs/heads/main' as RefName)
}

/** Returns the newest version, or the one of the given commit; undefined if there is none. */
export async function findWikiVersion(
  { objects }: Pick<GitAccess, 'objects'>,
  repository: Repository,
  version?: string,
): Promise<WikiVersion | undefined> {
  const oid =
    version === undefined
      ? readRef(repository, wikiBranch(repository))
      : asOid(version.toLowerCase())
  const commit = oid && (await objects.commit(repository, oid))
  return commit && { repository, commit: commit.oid, tree: commit.tree }
}

/** Files below `uploads/` are attachments, whatever their extension. */
const attachment = /^uploads\/[0-9a-f]{32}\//

/** Returns the page of a file; undefined for a file that is not a page. */
const pageAt = (path: string) => (attachment.test(path) ? undefined : wikiPageOfPath(path))

export const isWikiPagePath = (path: string): boolean => pageAt(path) !== undefined

/** A cache of the pages of trees, limited by the number of pages. A tree never changes. */
const lists = new LRUCache<string, readonly WikiPage[]>({
  maxSize: limits.wiki_files_max,
  sizeCalculation: (pages) => pages.length + 1,
})

/** Returns all pages ordered by path. */
export async function listWikiPages(
  { objects }: Pick<GitAccess, 'objects'>,
  { repository, tree }: WikiVersion,
): Promise<readonly WikiPage[]> {
  const key = repository.path + tree
  const kept = lists.get(key)
  if (kept) return kept
  const pages: WikiPage[] = []
  const entries_max = limits.wiki_files_max
  for await (const run of walkTree(objects, repository, { root: tree, path: '', entries_max })) {
    for (const { path, oid, mode } of run) {
      const page = mode.startsWith('100') ? pageAt(path) : undefined
      if (page) pages.push({ path, oid, title: wikiTitleOfSlug(page.slug), ...page })
    }
  }
  lists.set(key, pages)
  return pages
}

/** Returns the page with a slug or title. If several files have that name, the first one counts. */
export async function findWikiPage(
  git: Pick<GitAccess, 'objects'>,
  version: WikiVersion,
  slugOrTitle: string,
): Promise<WikiPage | undefined> {
  const slug = wikiSlugOfTitle(slugOrTitle)
  const found = await findNamed(git, version, slug)
  if (found || slug === slugOrTitle) return found
  // File names from git may contain spaces, which slugs do not.
  const exact = checkTreePath(slugOrTitle)
  return 'path' in exact && exact.path === slugOrTitle
    ? findNamed(git, version, exact.path)
    : undefined
}

async function findNamed(
  { objects }: Pick<GitAccess, 'objects'>,
  { repository, tree }: WikiVersion,
  slug: string,
): Promise<WikiPage | undefined> {
  const folder = folderOfWikiSlug(slug)
  const name = baseNameOfWikiSlug(slug)
  const below =
    folder === '' ? undefined : await findTreeEntry(objects, repository, tree, folder.slice(0, -1))
  if (folder !== '' && below?.mode !== '040000') return undefined
  const entries = (await objects.tree(repository, below?.oid ?? tree)) ?? []
  for (const entry of entries) {
    if (!entry.name.startsWith(`${name}.`) || !entry.mode.startsWith('100')) continue
    const path = folder + entry.name
    const page = pageAt(path)
    if (page?.slug === slug) return { path, oid: entry.oid, title: wikiTitleOfSlug(slug), ...page }
  }
  return undefined
}

/** Returns the page in a file. */
export async function findWikiPageByPath(
  { objects }: Pick<GitAccess, 'objects'>,
  { repository, tree }: WikiVersion,
  path: string,
): Promise<WikiPage | undefined> {
  const page = wikiPageOfPath(path)
  const entry = page && (await findTreeEntry(objects, repository, tree, path))
  return page && entry && { path, oid: entry.oid, title: wikiTitleOfSlug(page.slug), ...page }
}

/** Whether a page with that slug exists, regardless of case and format. `except` is a file that does not count. */
export async function isWikiSlugTaken(
  { objects }: Pick<GitAccess, 'objects'>,
  { repository, tree }: WikiVersion,
  { slug, except }: { slug: string; except?: string },
): Promise<boolean> {
  const parts = slug.toLowerCase().split('/')
  const last = parts.length - 1
  const look = async (oid: Oid, at: number, folder: string): Promise<boolean> => {
    for (const { name, mode, oid: below } of (await objects.tree(repository, oid)) ?? []) {
      const path = folder + name
      if (at < last) {
        const isSame = mode === '040000' && name.toLowerCase() === parts[at]
        if (isSame && (await look(below, at + 1, `${path}/`))) return true
      } else if (path !== except && mode.startsWith('100')) {
        if (wikiPageOfPath(name)?.slug.toLowerCase() === parts[at]) return true
      }
    }
    return false
  }
  return look(tree, 0, '')
}

/** Returns the text of a page. Throws 413 if it is too large for the API. */
export async function readWikiPage(
  { objects }: Pick<GitAccess, 'objects'>,
  repository: Repository,
  { oid }: Pick<WikiPage, 'oid'>,
): Promise<string> {
  const info = await objects.info(repository, oid)
  if (!info || info.size > limits.inline_blob_bytes) throw tooLarge()
  const kept = await objects.blob(repository, oid)
  if (kept) return kept.content.toString('utf8')
  const chunks: Buffer[] = []
  for await (const chunk of await objects.blobStream(repository, oid)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
