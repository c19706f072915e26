import type { ActorUser } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { discussIssuable, type IssuableSubject, readIssuable } from '../../../subjects/issuable.ts'
import { isUnarchived } from '../../../subjects/project.ts'
import type { Note } from './note.ts'

/** Every call needs a sign-in, reading on public projects too. */
export const readNotes: Rule<IssuableSubject> = (facts) =>
  facts.actor.user !== undefined && readIssuable(facts)

/** To change notes at all; `mayEditNote` decides for each note. */
export const editNotes: Rule<IssuableSubject> = (facts) =>
  readNotes(facts) && isUnarchived(facts.subject)

export const writeNotes: Rule<IssuableSubject> = discussIssuable

type Facts = { note: Note; level: number; user: ActorUser }

/** Its author, and Maintainers; nobody changes what the server wrote. */
export function mayEditNote({ note, level, user }: Facts): boolean {
  return !note.system && (note.author_id === user.id || level >= Level.maintainer)
}
