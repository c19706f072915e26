// Creates the pipelines of a push after its references moved.

import type { GitAccess } from '../../../git/git.ts'
import { type Oid, zeroOid } from '../../../git/names.ts'
import { peelToCommit } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { actorUserFromUser, findAccountProblem } from '../../../subjects/user.ts'
import type { LandedPush, Move } from '../../repository/pushes/push-landed.ts'
import { createPipeline } from './create-pipeline.ts'
import type { PipelineVariable } from './pipeline-request.ts'

/**
 * Creates the pipelines of a push. The push and the reference are the origin of a pipeline, so that a repetition creates
 * no second one.
 */
export async function createPipelinesAfterPush({ uses, push }: LandedPush): Promise<void> {
  const { git, config } = uses
  const set = push.moves.filter(({ newOid }) => newOid !== zeroOid)
  if (set.length > limits.pipelines.pushed_refs_max) return
  const repository = projectRepository(config, push.project)
  for (const move of set) await start(uses, { project: push.project, repository, git }, push, move)
}

async function start(
  uses: Instance,
  { project, repository, git }: { project: Project; repository: Repository; git: GitAccess },
  { id, user, options }: LandedPush['push'],
  { name, oldOid, newOid }: Move,
): Promise<void> {
  if (!user || findAccountProblem(user, timestamp(uses.clock))) return
  const sha = await peelToCommit(git.objects, repository, newOid as Oid)
  const commit = sha && (await git.objects.commit(repository, sha))
  if (!sha || !commit) return
  try {
    await createPipeline(uses, {
      project,
      ref: name,
      source: 'push',
      user: actorUserFromUser(user),
      variables: variablesOf(options),
      origin: `push:${id}:${name}`,
      sha,
      before_sha: oldOid,
      keepsErrors: true,
      isSkipped: isSkipped(commit.message, options),
    })
  } catch (error) {
    // A push without a configuration, or by a user who may not run pipelines, creates no pipeline. Nobody is
    // notified.
    if (!(error instanceof ApiError)) throw error
  }
}

/** Returns whether the message contains `[skip ci]` or `[ci skip]`, or the push has the option `ci.skip`. */
function isSkipped(message: string, options: readonly string[]): boolean {
  return options.includes('ci.skip') || /\[(ci skip|skip ci)\]/i.test(message)
}

/** Returns the variables of push options such as `git push -o ci.variable="KEY=value"`. */
function variablesOf(options: readonly string[]): PipelineVariable[] {
  const variables = new Map<string, string>()
  for (const option of options) {
    const [, key, value] = /^ci\.variable="?([A-Za-z0-9_]+)=([^"]*)"?$/s.exec(option) ?? []
    if (key !== undefined && value !== undefined) variables.set(key, value)
  }
  return [...variables].map(([key, value]) => ({ key, value, variable_type: 'env_var' }))
}
