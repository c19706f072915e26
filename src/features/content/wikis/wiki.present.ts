import { type Static, Type } from 'typebox'
import type { Commit } from '../../../git/objects.ts'
import { namedObject } from '../../../http/schema.ts'
import { markdownOf } from '../uploads/upload-name.ts'
import type { Page } from './read-pages.ts'

const listed = { format: Type.String(), slug: Type.String(), title: Type.String() }
const whole = { content: Type.String(), encoding: Type.String() }

export const WikiPageJson = namedObject('WikiPage', { ...whole, ...listed })
export const ListedPageJson = namedObject('ListedWikiPage', {
  ...listed,
  content: Type.Optional(Type.String()),
  encoding: Type.Optional(Type.String()),
})

/** A commit that changed a page. */
export const PageVersionJson = namedObject('WikiPageVersion', {
  id: Type.String(),
  short_id: Type.String(),
  title: Type.String(),
  message: Type.String(),
  author_name: Type.String(),
  author_email: Type.String(),
  authored_date: Type.String(),
  committed_date: Type.String(),
})

export const AttachmentJson = namedObject('WikiAttachment', {
  file_name: Type.String(),
  file_path: Type.String(),
  branch: Type.String(),
  link: Type.Object({ url: Type.String(), markdown: Type.String() }),
})

export function presentListed({ format, slug, title }: Page): Static<typeof ListedPageJson> {
  return { format, slug, title }
}

export function presentVersion(commit: Commit): Static<typeof PageVersionJson> {
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

export function presentPage(page: Page, content: string): Static<typeof WikiPageJson> {
  return { ...presentListed(page), content, encoding: 'UTF-8' }
}

export function presentAttachment(file: {
  file_name: string
  file_path: string
  branch: string
}): Static<typeof AttachmentJson> {
  const { file_name, file_path } = file
  const { markdown } = markdownOf(file_name, file_path)
  return { ...file, link: { url: file_path, markdown } }
}
