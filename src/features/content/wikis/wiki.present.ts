import { type Static, Type } from 'typebox'
import type { Commit } from '../../../git/objects.ts'
import { namedObject } from '../../../http/schema.ts'
import { markdownOfUpload } from '../uploads/upload-name.ts'
import type { WikiPage } from './read-pages.ts'

const listed = { format: Type.String(), slug: Type.String(), title: Type.String() }
const whole = { content: Type.String(), encoding: Type.String() }

export const WikiPageJson = namedObject('WikiPage', { ...whole, ...listed })
export const ListedWikiPageJson = namedObject('ListedWikiPage', {
  ...listed,
  content: Type.Optional(Type.String()),
  encoding: Type.Optional(Type.String()),
})

/** A commit that changed a page. */
export const WikiPageVersionJson = namedObject('WikiPageVersion', {
  id: Type.String(),
  short_id: Type.String(),
  title: Type.String(),
  message: Type.String(),
  author_name: Type.String(),
  author_email: Type.String(),
  authored_date: Type.String(),
  committed_date: Type.String(),
})

export const WikiAttachmentJson = namedObject('WikiAttachment', {
  file_name: Type.String(),
  file_path: Type.String(),
  branch: Type.String(),
  link: Type.Object({ url: Type.String(), markdown: Type.String() }),
})

export function presentListedWikiPage({
  format,
  slug,
  title,
}: WikiPage): Static<typeof ListedWikiPageJson> {
  return { format, slug, title }
}

export function presentWikiPageVersion(commit: Commit): Static<typeof WikiPageVersionJson> {
  const { oid, message, author, committer } = commit
  return {
    id: oid,
    short_id: oid.slice(0, 8),
    title: message.split('\n', 1)[0] ?? '',
    message,
    author_name: author.name,
    author_email: author.email,
    authored_date: author.date,
    committed_date: committer.date,
  }
}

export function presentWikiPage(page: WikiPage, content: string): Static<typeof WikiPageJson> {
  return { ...presentListedWikiPage(page), content, encoding: 'UTF-8' }
}

export function presentWikiAttachment(file: {
  file_name: string
  file_path: string
  branch: string
}): Static<typeof WikiAttachmentJson> {
  const { file_name, file_path } = file
  const { markdown } = markdownOfUpload(file_name, file_path)
  return { ...file, link: { url: file_path, markdown } }
}
