// The fields of a release that can be given at creation or changed.
import type { Db } from '../../../db/db.ts'
import { invalid } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import type { Project } from '../../../subjects/project.ts'
import { findMilestonesByTitle } from '../../planning/milestones/milestone.ts'
import { filterUsableMilestoneIds } from './release.store.ts'

export type RequestedMilestones = {
  milestones?: readonly string[] | null
  milestone_ids?: readonly number[] | null
}

/** Throws 400 for texts that are too long. */
export function validateReleaseTexts({
  name,
  description,
}: {
  name?: string
  description?: string
}): void {
  const problems = [
    ['Name', name ?? '', limits.name_characters],
    ['Description', description ?? '', limits.note_characters],
  ] as const
  for (const [field, text, maximum] of problems) {
    if ([...text].length <= maximum) continue
    throw invalid(`Validation failed: ${field} is too long (maximum is ${maximum} characters)`)
  }
}

/** Returns the ids of the requested milestones; undefined if none were given. Throws 400 for unknown ones. */
export async function findRequestedMilestoneIds(
  db: Db,
  project: Project,
  { milestones, milestone_ids }: RequestedMilestones,
): Promise<number[] | undefined> {
  const wanted = milestones === undefined ? milestone_ids : milestones
  if (wanted === undefined) return undefined
  if (wanted === null || wanted.length === 0) return []
  const missing: unknown[] = []
  const found = new Set<number>()
  if (milestones) {
    const rows = await findMilestonesByTitle(db, project, milestones)
    for (const title of milestones) {
      const row = rows.find((milestone) => milestone.title === title)
      if (row) found.add(row.id)
      else missing.push(title)
    }
  } else {
    const ids = milestone_ids ?? []
    const known = new Set((await filterUsableMilestoneIds(db, project, ids)).map(({ id }) => id))
    for (const id of ids) {
      if (known.has(id)) found.add(id)
      else missing.push(id)
    }
  }
  if (missing.length > 0) throw invalid(`Milestone(s) not found: ${missing.join(', ')}`)
  return [...found]
}
