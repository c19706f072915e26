// Runs a schedule: creates its pipeline, and checks whether a user may run it now.

import type { Actor } from '../../../access/actor.ts'
import { anonymous } from '../../../access/actor.ts'
import type { Config } from '../../../config.ts'
import { branchRef, tagRef } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { findProject, type Project, projectRepository } from '../../../subjects/project.ts'
import { actorUserFromUser, findAccountProblem, findUser } from '../../../subjects/user.ts'
import {
  isAllowedByProtectionRules,
  listBranchProtectionRules,
  rulesMatchingBranch,
} from '../../repository/protected-branches/protected-branch.ts'
import {
  listTagProtectionRules,
  mayCreateTag,
} from '../../repository/protected-tags/protected-tag.ts'
import { createPipeline } from '../pipeline-creation/create-pipeline.ts'
import { findScheduleById, listScheduleVariables } from './pipeline-schedule.store.ts'

/** `origin` names the run. `user_id` is who plays the schedule; without one it runs as its owner. */
export type ScheduleRun = { pipeline_schedule_id: number; origin: string; user_id?: number }

/**
 * Creates the pipeline of a run, unless it exists. Creates none if the schedule has no owner, if its owner is blocked or has
 * lost the right to run it, or if the configuration results in no pipeline; the schedule stays active and runs at its next
 * time.
 */
export async function runSchedule(uses: Instance, run: ScheduleRun): Promise<void> {
  const { db, clock, secretKey } = uses
  const schedule = await findScheduleById(db, run.pipeline_schedule_id)
  const user_id = run.user_id ?? schedule?.owner_id
  if (!schedule || user_id == null) return
  const found = await findProject(db, anonymous, { id: schedule.project_id })
  const user = await findUser(db, user_id)
  if (!found || !user || findAccountProblem(user, timestamp(clock)) !== undefined) return
  const variables = await listScheduleVariables(db, schedule.id)
  try {
    await createPipeline(uses, {
      project: found.project,
      ref: schedule.ref,
      source: 'schedule',
      user: actorUserFromUser(user),
      variables: variables.map(({ key, value, variable_type, raw }) => ({
        key,
        value: openSecret(secretKey, value),
        variable_type,
        raw,
      })),
      origin: run.origin,
      pipeline_schedule_id: schedule.id,
    })
  } catch (error) {
    // Other errors, such as a busy server, are thrown so that the task is retried.
    if (!(error instanceof ApiError) || error.kind !== 'invalid') throw error
  }
}

/**
 * Whether protected branches and tags allow the caller to run pipelines on the ref: callers who may push or merge there,
 * or create the tag.
 */
export async function mayRunPipelineOnRef(
  { db, config }: Pick<Instance, 'db' | 'config'>,
  { project, ref, ...caller }: { project: Project; ref: string; actor: Actor; level: number },
): Promise<boolean> {
  if (isTag(config, project, ref)) {
    const tagRules = await listTagProtectionRules(db, project.id, caller.actor)
    return mayCreateTag(tagRules, ref.replace(/^refs\/tags\//, ''), caller)
  }
  const rules = await listBranchProtectionRules(db, project.id, caller.actor)
  const matching = rulesMatchingBranch(rules, ref.replace(/^refs\/heads\//, ''))
  if (matching.length === 0) return true
  return (
    isAllowedByProtectionRules(matching, 'push', caller) ||
    isAllowedByProtectionRules(matching, 'merge', caller)
  )
}

function isTag(config: Config, project: Project, ref: string): boolean {
  if (ref.startsWith('refs/')) return ref.startsWith('refs/tags/')
  const repository = projectRepository(config, project)
  const [branch, tag] = [branchRef(ref), tagRef(ref)]
  if (branch && readRef(repository, branch)) return false
  return tag !== undefined && readRef(repository, tag) !== undefined
}
