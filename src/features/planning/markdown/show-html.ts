// The public face: a text of a project as HTML, in which what it names is a link (docs/api/markdown.md).
import type { Viewer } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { issuableUrl, shortReference } from '../../../subjects/issuable.ts'
import { type Project, projectUrl } from '../../../subjects/project.ts'
import { type Links, renderMarkdown } from '../../basics/markdown/markdown.ts'
import { findProjectPaths } from '../issuables/issuable.ts'
import { listReaders, listReferenced } from '../issuables/list-references.ts'
import { referenceWithin } from '../issuables/mention.ts'
import { readReferences } from '../issuables/text-references.ts'

type Place = Pick<Project, 'id' | 'namespace_id' | 'full_path' | 'visibility'>

/** Safe HTML; with a project, whatever the viewer sees of what the text names in it is a link. */
export async function showHtml(
  { db, actor, baseUrl }: { db: Db; actor: Viewer; baseUrl: string },
  { text, project }: { text: string; project?: Place },
): Promise<string> {
  if (!project) return renderMarkdown({ text })
  const links = await findLinks({ db, actor, baseUrl }, { text, project })
  return renderMarkdown({ text, links, uploadsUrl: projectUrl(baseUrl, project) })
}

/** What the text names in the project, as far as the viewer sees it. */
export async function findLinks(
  { db, actor, baseUrl }: { db: Db; actor: Viewer; baseUrl: string },
  { text, project }: { text: string; project: Place },
): Promise<Links> {
  const links: Record<string, { href: string; title: string; kind: string }> = {}
  const { references, usernames } = readReferences(text)
  const found = await listReferenced(db, actor, { project, references })
  const paths = await findProjectPaths(
    db,
    found.map(({ project_id }) => project_id),
  )
  for (const issuable of found) {
    const full_path = paths.get(issuable.project_id)
    if (full_path === undefined) continue
    const reference = shortReference(issuable)
    const link = {
      href: issuableUrl(baseUrl, { full_path }, issuable),
      title: issuable.title,
      kind: issuable.kind,
    }
    links[referenceWithin(project, { from: { full_path }, reference })] = link
    links[`${full_path}${reference}`] = link
  }
  if (usernames.length === 0) return links
  const users = await listReaders(db, { project, isRestricted: false }, { usernames })
  for (const { username, name } of users) {
    links[`@${username}`] = { href: `${baseUrl}/${username}`, title: name, kind: 'project_member' }
  }
  return links
}
