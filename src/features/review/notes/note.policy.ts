import type { ActorUser } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import {
  type IssuableSubject,
  mayDiscussIssuable,
  mayReadIssuable,
} from '../../../subjects/issuable.ts'
import { isUnarchived } from '../../../subjects/project.ts'
import type { Note } from './note.ts'

/** Reading notes requires a sign-in, even in public projects. */
export const mayReadNotes: Rule<IssuableSubject> = (facts) =>
  facts.actor.user !== undefined && mayReadIssuable(facts)

/** Whether the caller may change notes at all; `mayEditNote` decides about each note. */
export const mayEditNotes: Rule<IssuableSubject> = (facts) =>
  mayReadNotes(facts) && isUnarchived(facts.subject)

export const mayWriteNotes: Rule<IssuableSubject> = mayDiscussIssuable

type Facts = { note: Note; level: number; user: ActorUser }

/** Its author and Maintainers may change a note; nobody may change system notes. */
export function mayEditNote({ note, level, user }: Facts): boolean {
  return !note.system && (note.author_id === user.id || level >= Level.maintainer)
}
