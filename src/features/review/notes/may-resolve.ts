import type { Actor } from '../../../access/actor.ts'
import { type IssuableSubject, resolveThreads } from '../../../subjects/issuable.ts'
import type { Note } from './note.ts'

type Facts = { note: Note; level: number; actor: Actor }

/** Those who resolve every thread, and the author of the note. */
export function mayResolve(subject: IssuableSubject, { note, level, actor }: Facts): boolean {
  return note.author_id === actor.user?.id || resolveThreads({ subject, level, actor })
}
