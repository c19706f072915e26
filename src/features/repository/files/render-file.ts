// Renders a file to HTML (docs/api/repository.md, "Rendered files").
import { posix } from 'node:path'
import type { GitAccess } from '../../../git/git.ts'
import { GitResultCache } from '../../../git/git-result-cache.ts'
import { invalid, tooLarge } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { addHeadingIds, type Heading } from '../../basics/markdown/headings.ts'
import { renderMarkdown, renderMarkupSafely } from '../../basics/markdown/markdown.ts'
import {
  type MarkupFormat,
  markupFormatOfPath,
} from '../../basics/markdown/markup-format-of-path.ts'
import type { FileLinkBase } from '../../basics/markdown/resolve-links.ts'
import type { FileAtCommit } from './file.ts'

export type RenderedFile = { html: string; format: MarkupFormat; headings: Heading[] }

const kept_bytes_max = 32 * 1024 * 1024

/** The HTML depends only on the text and the base of its links, and not on the reader. */
const kept = new GitResultCache<RenderedFile>(
  kept_bytes_max,
  ({ html, headings }) => 2 * html.length + 300 * headings.length + 1000,
)

/**
 * Renders a file as safe HTML, cached by content, reference and folder. A format that cannot be rendered is shown as text.
 * Throws 413 for a file over `limits.markdown.page_characters_max` bytes, 400 for one that is not text, and 503 if rendering
 * takes too long.
 */
export async function renderFile(
  { objects }: Pick<GitAccess, 'objects'>,
  { repository, blob, size }: FileAtCommit,
  { path, ref, url }: { path: string; ref: string; url: string },
): Promise<RenderedFile> {
  if (size > limits.markdown.page_characters_max) throw tooLarge()
  const format = markupFormatOfPath(path) ?? 'plaintext'
  const place = placeOf({ path, ref, url })
  const key = [repository.path, blob, format, place.pagesUrl, place.folder].join('\0')
  return kept.get(key, async () => {
    const content = await objects.wholeBlob(repository, blob, limits.markdown.page_characters_max)
    if (!content || content.includes(0)) throw invalid('The file is not text')
    const text = content.toString()
    const html =
      format === 'markdown'
        ? await renderMarkdown({ text, place })
        : await renderMarkupSafely({ format, text, place })
    return { format, ...addHeadingIds(html) }
  })
}

/** Returns the base of the links in a file. `url` is the URL of the project. */
function placeOf({ path, ref, url }: { path: string; ref: string; url: string }): FileLinkBase {
  const folder = posix.dirname(path)
  const at = ref.split('/').map(encodeURIComponent).join('/')
  return {
    pagesUrl: `${url}/-/blob/${at}`,
    rawUrl: `${url}/-/raw/${at}`,
    folder: folder === '.' ? '' : `${folder}/`,
  }
}
