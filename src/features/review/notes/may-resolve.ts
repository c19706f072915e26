import type { Actor } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { IssuableSubject } from '../../../subjects/issuable.ts'
import type { Note } from './note.ts'

type Facts = { note: Note; level: number; actor: Actor }

/** Developers, and the authors of the merge request and of the note. */
export function mayResolve(subject: IssuableSubject, { note, level, actor }: Facts): boolean {
  const user_id = actor.user?.id
  return (
    level >= Level.developer || note.author_id === user_id || subject.issuable.author_id === user_id
  )
}
