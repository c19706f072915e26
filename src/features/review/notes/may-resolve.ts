import type { Context } from '../../../http/endpoint.ts'
import { type IssuableSubject, mayResolveThreads } from '../../../subjects/issuable.ts'
import type { Note } from './note.ts'

type Caller = Pick<Context<IssuableSubject, unknown>, 'subject' | 'level' | 'actor' | 'user'>

/** Whether the caller may resolve the note: those who may resolve all threads, and its author. */
export function mayResolveNote({ subject, level, actor, user }: Caller, note: Note): boolean {
  return note.author_id === user.id || mayResolveThreads({ subject, level, actor })
}
