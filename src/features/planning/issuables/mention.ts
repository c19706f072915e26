// Records mentions in a text: a system note on each mentioned issuable, a to-do item for each mentioned user.
import type { Actor } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { type Issuable, shortIssuableReference } from '../../../subjects/issuable.ts'
import type { Project } from '../../../subjects/project.ts'
import type { User } from '../../../subjects/user.ts'
import { addMentionedUsers, findProjectFullPaths } from './issuable.store.ts'
import { insertMentionNotes, insertTodos } from './issuable.ts'
import {
  filterUsersWhoCanReadIssuable,
  findIssuableReaderScope,
  listReferencedIssuables,
} from './list-references.ts'
import { parseReferences } from './text-references.ts'

/** Returns the shortest reference from another project to something in `from`. */
export function shortestReferenceFromProject(
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
 * Adds a system note to everything that the texts of an issue, a merge request or a note mention and the actor sees,
 * and to-do items for users mentioned for the first time. `before` is the former text: users it mentioned are not
 * notified again.
 */
export async function createMentionNotesAndTodos(
  { tx, clock, actor, baseUrl }: { tx: Db; clock: Clock; actor: Actor; baseUrl: string },
  {
    project,
    issuable,
    texts,
    before = '',
    note,
  }: {
    project: Project
    issuable: Issuable
    texts: readonly string[]
    before?: string
    note?: { id: number; confidential: boolean }
  },
): Promise<void> {
  const user = actor.user
  const text = texts.join('\n')
  if (!user || !/[@#!]|:\/\//.test(text)) return
  const { references, usernames } = parseReferences(text, baseUrl)
  const found = await listReferencedIssuables(tx, actor, { project, references })
  const targets = found.filter(({ id }) => id !== issuable.id)
  const paths = await findProjectFullPaths(
    tx,
    targets.map(({ project_id }) => project_id),
  )
  const own = { from: project, reference: shortIssuableReference(issuable) }
  await insertMentionNotes(tx, clock, {
    author_id: user.id,
    targets: targets.map((target) => {
      const reference = shortestReferenceFromProject(
        { full_path: paths.get(target.project_id) ?? '' },
        own,
      )
      return { target, body: `mentioned in ${kindNames[issuable.kind]} ${reference}` }
    }),
    mentioned_by: {
      mentioned_by_project_id: project.id,
      mentioned_by_id: issuable.id,
      confidential: note?.confidential ?? false,
    },
  })
  const known = new Set(parseReferences(before, baseUrl).usernames)
  const fresh = usernames.filter((name) => !known.has(name))
  if (fresh.length === 0) return
  const seen = await findIssuableReaderScope(tx, { project, issuable })
  const hidden = { project, isRestricted: true }
  const users = await filterUsersWhoCanReadIssuable(tx, note?.confidential ? hidden : seen, {
    usernames: fresh,
  })
  const named = await addMentionedUsers(
    tx,
    { issuable_id: issuable.id, confidential: note?.confidential ?? false },
    users.map(({ id }) => id),
  )
  const first = /^@([\w.-]+)/.exec(text.trimStart().slice(0, 300))?.[1]?.replace(/[.-]{1,3}$/, '')
  const told = note === undefined ? new Set(named) : new Set(users.map(({ id }) => id))
  const isAddressed = ({ username }: User) => first?.toLowerCase() === username.toLowerCase()
  const give = (action: 'directly_addressed' | 'mentioned', to: readonly User[]) =>
    insertTodos(tx, clock, {
      issuable,
      author_id: user.id,
      user_ids: to.filter(({ id }) => told.has(id)).map(({ id }) => id),
      action,
      note_id: note?.id ?? null,
    })
  await give('directly_addressed', users.filter(isAddressed))
  await give(
    'mentioned',
    users.filter((one) => !isAddressed(one)),
  )
}
