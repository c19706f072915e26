// Verifies all repositories periodically, so that damage is found while a copy may still exist.

import { repositoryExists } from '../../../git/refs.ts'
import { verifyRepository } from '../../../git/verify-repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { findRepositoryPlacement, projectRepository } from '../../../subjects/project.ts'
import { findWiki, wikiRepository } from '../../../subjects/wiki.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import { listProjectsToVerify, upsertProjectVerification } from './verification.store.ts'

/** How old the last verification of a project may be, and how many projects are verified in a minute. */
const interval_ms = 30 * 24 * 60 * 60_000
const projects_a_minute = 5

/** Verifies the repositories of a project, including its wiki, and stores the result. Safe to repeat. */
export const verifyProjectTask = defineTask({
  name: 'verify-project',
  lane: 'upkeep',
  async run(
    { db, git, clock, config }: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
    { project_id }: { project_id: number },
  ) {
    const project = await findRepositoryPlacement(db, project_id)
    if (project?.state !== 'ready') return
    const problem = await verifyRepository(git.git, projectRepository(config, project))
    const wiki = await findWiki(db, { kind: 'project', id: project_id })
    const wikiPlace = wiki && wikiRepository(config, wiki)
    const wikiProblem =
      wikiPlace && repositoryExists(wikiPlace)
        ? await verifyRepository(git.git, wikiPlace)
        : undefined
    const found = {
      repository_failed: problem !== undefined,
      wiki_failed: wikiProblem !== undefined,
      problem: problem ?? wikiProblem ?? null,
      verified_at: timestamp(clock),
    }
    await upsertProjectVerification(db, { project_id, ...found })
  },
})

/** Enqueues verification of the repositories verified longest ago, or never. A recurring task. */
export async function enqueueProjectVerifications({
  db,
  clock,
}: Pick<Instance, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock().getTime() - interval_ms).toISOString()
  const due = await listProjectsToVerify(db, { before, limit: projects_a_minute })
  for (const { id } of due) {
    const task = { task: verifyProjectTask, key: String(id), payload: { project_id: id } }
    await enqueue(db, clock, task)
  }
}

export const verificationTasks = [
  verifyProjectTask,
  defineTask({
    name: 'queue-verifications',
    lane: 'upkeep',
    every_ms: 60_000,
    run: enqueueProjectVerifications,
  }),
]
