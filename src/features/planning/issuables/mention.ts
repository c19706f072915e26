// Who and what a text names is told: a note on each thing it names, something to do for each user.
import type { Actor } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { type Issuable, shortReference } from '../../../subjects/issuable.ts'
import type { Project } from '../../../subjects/project.ts'
import { addMentions, findPaths } from './issuable.store.ts'
import { addSystemNotes, addTodos } from './issuable.ts'
import { isRestricted, listReaders, listReferenced } from './list-references.ts'
import { readReferences } from './text-references.ts'

type Place = Pick<Project, 'id' | 'namespace_id' | 'full_path' | 'visibility'>

/** How a thing in `from` is named in another project: as short as it can be. */
export function referenceWithin(
  project: Pick<Project, 'full_path'>,
  { from, reference }: { from: Pick<Project, 'full_path'>; reference: string },
): string {
  if (project.full_path === from.full_path) return reference
  const cut = from.full_path.lastIndexOf('/')
  const isSibling = project.full_path.startsWith(from.full_path.slice(0, cut + 1))
  const sameDepth = project.full_path.lastIndexOf('/') === cut
  return isSibling && sameDepth
    ? `${from.full_path.slice(cut + 1)}${reference}`
    : `${from.full_path}${reference}`
}

const kindNames = { issue: 'issue', merge_request: 'merge request' } as const

/**
 * Notes on whatever the actor sees and a text of the issue, the merge request or the note on it names, that it
 * is named there; and gives users who are named for the first time something to do.
 */
export async function tellMentioned(
  { tx, clock, actor, baseUrl }: { tx: Db; clock: Clock; actor: Actor; baseUrl: string },
  {
    project,
    issuable,
    texts,
    note_id,
  }: { project: Place; issuable: Issuable; texts: readonly string[]; note_id?: number },
): Promise<void> {
  const user = actor.user
  const text = texts.join('\n')
  if (!user || !/[@#!]|:\/\//.test(text)) return
  const { references, usernames } = readReferences(text, baseUrl)
  const found = await listReferenced(tx, actor, { project, references })
  const targets = found.filter(({ id }) => id !== issuable.id)
  const paths = await findPaths(
    tx,
    targets.map(({ project_id }) => project_id),
  )
  for (const target of targets) {
    const path = paths.get(target.project_id)
    if (path === undefined) continue
    const reference = referenceWithin(
      { full_path: path },
      { from: project, reference: shortReference(issuable) },
    )
    await addSystemNotes(tx, clock, {
      issuable: target,
      author_id: user.id,
      bodies: [`mentioned in ${kindNames[issuable.kind]} ${reference}`],
      mentioned_by: { mentioned_by_project_id: project.id, mentioned_by_id: issuable.id },
    })
  }
  if (usernames.length === 0) return
  const isClosed = isRestricted(project, issuable)
  const users = await listReaders(tx, { project, isRestricted: isClosed }, { usernames })
  const named = await addMentions(
    tx,
    issuable.id,
    users.map(({ id }) => id),
  )
  const first = /^@([\w.-]+)/.exec(text.trimStart().slice(0, 300))?.[1]?.replace(/[.-]+$/, '')
  const told = note_id === undefined ? new Set(named) : new Set(users.map(({ id }) => id))
  for (const { id, username } of users) {
    if (!told.has(id)) continue
    const isAddressed = first?.toLowerCase() === username.toLowerCase()
    await addTodos(tx, clock, {
      issuable,
      author_id: user.id,
      user_ids: [id],
      action: isAddressed ? 'directly_addressed' : 'mentioned',
      note_id: note_id ?? null,
    })
  }
}
