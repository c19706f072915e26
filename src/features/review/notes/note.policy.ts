import type { ActorUser } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { discussIssuable, type IssuableSubject } from '../../../subjects/issuable.ts'
import { isUnarchived } from '../../../subjects/project.ts'
import type { Note } from './note.ts'

/**
 * To change notes at all; `mayEditNote` decides for each note. Who may read notes is decided before: the endpoints
 * require a sign-in, and their loaders find only issues and merge requests that the caller may read.
 */
export const editNotes: Rule<IssuableSubject> = ({ subject }) => isUnarchived(subject)

export const writeNotes: Rule<IssuableSubject> = discussIssuable

type Facts = { note: Note; level: number; user: ActorUser }

/** Its author, and Maintainers; nobody changes what the server wrote. */
export function mayEditNote({ note, level, user }: Facts): boolean {
  return !note.system && (note.author_id === user.id || level >= Level.maintainer)
}
