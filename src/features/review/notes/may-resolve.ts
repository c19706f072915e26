import type { Context } from '../../../http/endpoint.ts'
import { type IssuableSubject, mayResolveThreads } from '../../../subjects/issuable.ts'
import type { Note } from './note.ts'

type Caller = Pick<Context<IssuableSubject, unknown>, 'subject' | 'level' | 'actor' | 'user'>

/** Those who resolve every thread, and the author of the note. */
export function mayResolveNote({ subject, level, actor, user }: Caller, note: Note): boolean {
  return note.author_id === user.id || mayResolveThreads({ subject, level, actor })
}
