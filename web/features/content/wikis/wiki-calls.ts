// API operations of wiki pages, for the wiki of a project and that of a group.
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { mayInGroup, useGroup } from '../../../api/group.ts'
import type { ListedWikiPage, WikiPage } from '../../../api/operations.ts'
import { mayInProject, useProject } from '../../../api/project.ts'
import { apiReadUrl, useApiUrl } from '../../../api/use-api.ts'
import type { TextContext } from '../../../surfaces/conversation/text-context.ts'
import type { DiffQuery } from '../../../surfaces/diff/diff-query.ts'
import { encodePath } from '../../../ui/navigation.ts'
import type { Place } from '../../../ui/page-module.ts'
import { placeBasePath } from '../../../ui/project-address.ts'

export type WikiFormat = 'markdown' | 'rdoc' | 'asciidoc' | 'org'
type Texts = { title?: string; content: string; format?: WikiFormat }

const isGroup = ({ kind }: Place) => kind === 'group'

export function wikiAddress(place: Place, slug = ''): string {
  return `${placeBasePath(place)}/-/wikis${slug === '' ? '' : `/${encodePath(slug)}`}`
}

export const wikiPageListUrl = (place: Place) =>
  apiReadUrl(isGroup(place) ? 'GET /groups/:id/wikis' : 'GET /projects/:id/wikis', { id: place.id })

/** The page as HTML; of a version where one is named. */
export function wikiPageUrl(place: Place, { slug, version }: { slug: string; version?: string }) {
  return apiReadUrl(
    isGroup(place) ? 'GET /groups/:id/wikis/:slug' : 'GET /projects/:id/wikis/:slug',
    {
      id: place.id,
      slug,
      render_html: true,
      ...(version ? { version } : {}),
    },
  )
}

export const useWikiPages = (place: Place) => useApiUrl<ListedWikiPage[]>(wikiPageListUrl(place))

/** The commits that changed the page, newest first. */
export const wikiPageVersionsUrl = ({ kind, id }: Place, slug: string, page?: number) =>
  apiReadUrl(
    kind === 'group'
      ? 'GET /groups/:id/wikis/:slug/versions'
      : 'GET /projects/:id/wikis/:slug/versions',
    { id, slug, per_page: 20, ...(page ? { page } : {}) },
  )

/** The versions that a comparison is between: `from` without a value is the version before `to`. */
export type WikiVersionRange = { from?: string; to?: string }

export const wikiPageDiffsUrl = (
  { kind, id }: Place,
  slug: string,
  query: WikiVersionRange & DiffQuery,
) =>
  apiReadUrl(
    kind === 'group' ? 'GET /groups/:id/wikis/:slug/diffs' : 'GET /projects/:id/wikis/:slug/diffs',
    {
      id,
      slug,
      ...query,
    },
  )

/** The page as it is written now, or was in a version. Throws `Refusal`. */
export function fetchWikiSource(
  { id, kind }: Place,
  slug: string,
  version?: string,
): Promise<WikiPage> {
  const input = { id, slug, ...(version ? { version } : {}) }
  return kind === 'group'
    ? call('GET /groups/:id/wikis/:slug', input)
    : call('GET /projects/:id/wikis/:slug', input)
}

/** Creates the page, or changes that of `slug`. Throws `Refusal`. */
export async function saveWikiPage(place: Place, slug: string | undefined, texts: Texts) {
  const { id } = place
  const title = texts.title ?? ''
  const page =
    slug === undefined
      ? await (isGroup(place)
          ? call('POST /groups/:id/wikis', { ...texts, id, title })
          : call('POST /projects/:id/wikis', { ...texts, id, title }))
      : await (isGroup(place)
          ? call('PUT /groups/:id/wikis/:slug', { ...texts, id, slug })
          : call('PUT /projects/:id/wikis/:slug', { ...texts, id, slug }))
  touchWiki(place)
  return page
}

/** Throws `Refusal`. */
export async function deleteWikiPage(place: Place, slug: string): Promise<void> {
  const input = { id: place.id, slug }
  if (isGroup(place)) await call('DELETE /groups/:id/wikis/:slug', input)
  else await call('DELETE /projects/:id/wikis/:slug', input)
  touchWiki(place)
}

function touchWiki({ kind, id }: Place): void {
  invalidate(`/api/v4/${kind}s/${id}/wikis`)
}

/** Whether the reader may write pages; undefined until that is known. */
export function useMayWriteWiki(place: Place): boolean | undefined {
  const isOfGroup = isGroup(place)
  const { data: project } = useProject(place.id, { isAsked: !isOfGroup })
  const { data: group } = useGroup(place.id, { isAsked: isOfGroup })
  if (isOfGroup) return group && mayInGroup(group, 'write_wiki')
  return project && mayInProject(project, 'write_wiki')
}

/** Where the text of a page is written: its files go to the repository of the wiki. */
export function wikiTextContext({ kind, id, canonical_path }: Place): TextContext {
  const upload = async (file: File) => {
    const input = { id, file }
    const { link } = await (kind === 'group'
      ? call('POST /groups/:id/wikis/attachments', input)
      : call('POST /projects/:id/wikis/attachments', input))
    return link.markdown
  }
  const path = canonical_path.replace(/\/-\/.*$/, '').slice(1)
  return kind === 'group'
    ? { projectId: undefined, path: '', mayUpload: true, upload }
    : { projectId: id, path: decodeURI(path), mayUpload: true, upload }
}
