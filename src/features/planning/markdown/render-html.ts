// Renders a text of a project to HTML with links for its references (docs/api/markdown.md).
import { setImmediate } from 'node:timers/promises'
import { escapeHtml } from '../../../kernel/html.ts'
import { limits } from '../../../kernel/limits.ts'
import { issuableUrl, shortIssuableReference } from '../../../subjects/issuable.ts'
import { type Project, projectUrl } from '../../../subjects/project.ts'
import {
  countRenderedTexts,
  type ReferenceLinks,
  renderMarkdown,
  renderMarkdownTexts,
} from '../../basics/markdown/markdown.ts'
import { findProjectPaths } from '../issuables/issuable.ts'
import {
  filterUsersWhoCanReadIssuable,
  listReferencedIssuables,
} from '../issuables/list-references.ts'
import { shortestReferenceFromProject } from '../issuables/mention.ts'
import {
  type IssuableReference,
  parseReferences,
  type ReferencesInText,
} from '../issuables/text-references.ts'

import { findNonIssuableLinks, type LinkViewer } from './non-issuable-links.ts'

export type { LinkViewer } from './non-issuable-links.ts'

type Place = Pick<Project, 'id' | 'namespace_id' | 'full_path' | 'visibility'>

/** Renders safe HTML. With a project, references in it become links, as far as the viewer can see their targets. */
export async function renderMarkdownWithLinks(
  reader: LinkViewer,
  { text, project }: { text: string; project?: Place },
): Promise<string> {
  if (!project) return renderMarkdown({ text })
  const links = await findReferenceLinks(reader, { texts: [text], project })
  return renderMarkdown({ text, links, uploadsUrl: projectUrl(reader.baseUrl, project) })
}

/** Renders several texts with the same number of queries as for one. */
export async function renderMarkdownTextsWithLinks(
  reader: LinkViewer,
  { texts, project }: { texts: readonly string[]; project?: Place },
): Promise<string[]> {
  if (!project) return renderMarkdownTexts(texts.map((text) => ({ text })))
  const links = await findReferenceLinks(reader, { texts, project })
  const uploadsUrl = projectUrl(reader.baseUrl, project)
  return renderMarkdownTexts(texts.map((text) => ({ text, links, uploadsUrl })))
}

/** Renders the title and description of an issue or merge request as HTML. */
export async function renderIssuableHtml(
  reader: LinkViewer,
  { title, description }: { title: string; description: string | null },
  project: Place,
): Promise<{ title_html: string; description_html: string }> {
  return {
    title_html: escapeHtml(title),
    description_html: description
      ? await renderMarkdownWithLinks(reader, { text: description, project })
      : '',
  }
}

/** Returns links for the references in the texts that are rendered, as far as the viewer can see their targets. */
export async function findReferenceLinks(
  reader: LinkViewer,
  { texts: given, project }: { texts: readonly string[]; project: Place },
): Promise<ReferenceLinks> {
  const { db, actor, baseUrl } = reader
  // A single text is always rendered, whatever its length.
  const texts = given.slice(0, Math.max(countRenderedTexts(given), 1))
  const links: Record<string, ReferenceLinks[string]> = {
    ...(await findNonIssuableLinks(reader, { texts, project_id: project.id })),
  }
  const { references, usernames } = await readAllReferences(texts)
  const found = await listReferencedIssuables(db, actor, { project, references })
  const paths = await findProjectPaths(
    db,
    found.map(({ project_id }) => project_id),
  )
  for (const issuable of found) {
    const full_path = paths.get(issuable.project_id)
    if (full_path === undefined) continue
    const reference = shortIssuableReference(issuable)
    const link = {
      href: issuableUrl(baseUrl, { full_path }, issuable),
      title: issuable.title,
      kind: issuable.kind,
    }
    links[shortestReferenceFromProject(project, { from: { full_path }, reference })] = link
    links[`${full_path}${reference}`] = link
  }
  if (usernames.length === 0) return links
  const users = await filterUsersWhoCanReadIssuable(
    db,
    { project, isRestricted: false },
    { usernames },
  )
  for (const { username, name } of users) {
    links[`@${username}`] = { href: `${baseUrl}/${username}`, title: name, kind: 'project_member' }
  }
  return links
}

/**
 * Returns the references of all texts, up to `limits.list_references_max`. Yields after each text, so that
 * other requests can run.
 */
async function readAllReferences(texts: readonly string[]): Promise<ReferencesInText> {
  const references = new Map<string, IssuableReference>()
  const usernames = new Set<string>()
  for (const text of texts) {
    const named = parseReferences(text)
    for (const reference of named.references) {
      const { path, kind, iid } = reference
      references.set(`${path}${kind}${iid}`, reference)
    }
    for (const username of named.usernames) usernames.add(username)
    if (Math.max(references.size, usernames.size) >= limits.list_references_max) break
    await setImmediate()
  }
  return { references: [...references.values()], usernames: [...usernames] }
}
