import type { Award, Discussion } from '../../api/operations.ts'
import type { NoteWithAwards } from './note.tsx'

/** Threads whose notes have their awards with them. */
export function addAwardsToThreads(
  threads: readonly Discussion[],
  awards: readonly Award[],
): (Omit<Discussion, 'notes'> & { notes: NoteWithAwards[] })[] {
  const byNote = Map.groupBy(awards, ({ awardable_id }) => awardable_id)
  return threads.map((thread) => ({
    ...thread,
    notes: thread.notes.map((note) => ({ ...note, award_emoji: byNote.get(note.id) ?? [] })),
  }))
}
