import type { Actor } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { IssuableSubject } from '../../../subjects/issuable.ts'
import type { Note } from './note.ts'

type Facts = { note: Note; level: number; actor: Actor }

/** Developers and the author of the merge request resolve every thread of it. */
export const mayResolveThreads: Rule<IssuableSubject> = ({ subject, level, actor }) =>
  level >= Level.developer || (actor.user?.id ?? 0) === subject.issuable.author_id

/** Those who resolve every thread, and the author of the note. */
export function mayResolve(subject: IssuableSubject, { note, level, actor }: Facts): boolean {
  return note.author_id === actor.user?.id || mayResolveThreads({ subject, level, actor })
}
