// Moves notes on the diff of a merge request with their lines when its source changes.

import { mapOldLineToNew } from '../../../git/map-old-line.ts'
import { asOid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import type { IssuableChange } from '../../planning/issuables/issuable-changed.ts'
import { findNewestVersion, findRequestWithProjects } from '../merge-requests/merge-request.ts'
import { listDiffNotePositions, updateNotePosition } from './note.store.ts'
import { type DiffPosition, listChangedFilesBetween } from './resolve-diff-position.ts'

/** Enqueues moving of diff notes to the lines of a new version. A step of a change of a merge request. */
export async function enqueueNoteMoves({
  tx,
  clock,
  issuable_id,
  oldrev,
}: IssuableChange): Promise<void> {
  if (oldrev === undefined) return
  const key = String(issuable_id)
  await enqueue(tx, clock, { task: moveDiffNotesTask, key, payload: { issuable_id } })
}

/**
 * Moves notes on the diff to the newest version. A note whose line is gone keeps the version it was written on. Safe to
 * repeat: notes that are on the newest version are skipped.
 */
const moveDiffNotesTask = defineTask({
  name: 'follow-diff-notes',
  lane: 'events',
  async run(
    { db, git, config }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
    { issuable_id }: { issuable_id: number },
  ) {
    const whole = await findRequestWithProjects(db, issuable_id)
    const version = whole && (await findNewestVersion(db, whole.request))
    if (!whole || !version?.base_sha) return
    const { base_sha, start_sha, head_sha } = version
    const repository = projectRepository(config, whole.target)
    const newest = { base_sha, start_sha, head_sha }
    for (const { id, position } of await listDiffNotePositions(db, issuable_id)) {
      const placed = position as DiffPosition | null
      if (placed?.position_type !== 'text' || placed.head_sha === head_sha) continue
      const [from, to] = [asOid(placed.head_sha), asOid(head_sha)]
      if (placed.new_line === null || !from || !to) continue
      const files = await listChangedFilesBetween(git, repository, { from, to })
      const moved = files.find(({ oldPath }) => oldPath === placed.new_path)
      if (moved?.newMode === '0') continue
      const new_line = moved ? mapOldLineToNew(moved.patch, placed.new_line) : placed.new_line
      if (new_line === undefined) continue
      const new_path = moved?.newPath ?? placed.new_path
      await updateNotePosition(db, id, { ...placed, ...newest, new_line, new_path })
    }
  },
})

export const noteTasks = [moveDiffNotesTask]
