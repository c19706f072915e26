// Renders a wiki page to HTML (docs/api/wikis.md, "As HTML").
import { limits } from '../../../kernel/limits.ts'
import type { OwningProjectOrGroup } from '../../../subjects/owner.ts'
import { wikiUrl } from '../../../subjects/wiki.ts'
import { renderMarkdown, renderMarkupSafely } from '../../basics/markdown/markdown.ts'
import { findReferenceLinks, type LinkViewer } from '../../planning/markdown/render-html.ts'
import type { WikiPage } from './read-pages.ts'

/**
 * Renders a page as safe HTML. Links in Markdown lead to pages of the wiki; in a project's wiki, references become links.
 */
export async function showWikiPage(
  reader: LinkViewer,
  {
    owner,
    page,
    content,
  }: { owner: OwningProjectOrGroup; page: Pick<WikiPage, 'format' | 'slug'>; content: string },
): Promise<string> {
  const isLong = content.length > limits.markdown.page_characters_max
  if (page.format !== 'markdown' || isLong)
    return renderMarkupSafely({ format: page.format, text: content })
  const project = owner.kind === 'project' ? owner.project : undefined
  const links = project && (await findReferenceLinks(reader, { texts: [content], project }))
  return renderMarkdown({
    text: content,
    links,
    pages: { url: wikiUrl(reader.baseUrl, owner), slug: page.slug },
  })
}
