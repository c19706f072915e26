// Pipelines of a push. They are asked for in the transaction that notes the push, before the references
// move, so that a server that dies in between makes them when it is back; and made once the references have.

import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { anonymous } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import type { GitAccess } from '../../../git/git.ts'
import { type Oid, type RefName, zeroOid } from '../../../git/names.ts'
import { peelToCommit, type RefUpdate, readRef } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { type Clock, monotonic_ms, timestamp } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { findProject, type Project, projectRepository } from '../../../subjects/project.ts'
import { actorUserOf, findUser, standingProblem } from '../../../subjects/user.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import type { Push } from '../../repository/pushes/push.ts'
import { createPipeline } from './create-pipeline.ts'
import type { PipelineUses, PipelineVariable } from './pipeline-request.ts'

type Move = { name: string; oldOid: string; newOid: string }
type PushPayload = {
  id: string
  project_id: number
  user_id: number | undefined
  moves: Move[]
  options: string[]
  /** How often it was found that the references had not moved. */
  waits: number
}

const push_options_max = 20
/** For how long the references are watched, which most often move at once. */
const watch_ms = 2_000
const look_ms = 10
/** After that it is looked again so much later, and then once more; a push that never lands was refused. */
const waits_ms = [10_000, 120_000]

const isBranchOrTag = ({ name }: RefUpdate) => /^refs\/(heads|tags)\//.test(name)

/** A step of what happens when references move. */
export async function askForPipelines({
  db,
  clock,
  project_id,
  user_id,
  moves,
  options = [],
}: Push & { db: Db; clock: Clock; project_id: number }): Promise<void> {
  const set = moves.filter((move) => isBranchOrTag(move) && move.newOid !== zeroOid)
  if (set.length === 0 || set.length > limits.pipelines.pushed_refs_max) return
  const id = randomUUID()
  const payload = {
    id,
    project_id,
    user_id,
    moves: set,
    options: options.filter((option) => option.startsWith('ci.')).slice(0, push_options_max),
    waits: 0,
  }
  await enqueue(db, clock, { task: startPushPipelines, key: id, payload })
}

/** Each pipeline has the push and its reference for an origin, so that a second run makes none anew. */
export const startPushPipelines = defineTask({
  name: 'start-push-pipelines',
  lane: 'events',
  async run(uses: PipelineUses, payload: PushPayload) {
    const { db, clock, git, config } = uses
    const found = await findProject(db, anonymous, { id: payload.project_id })
    if (!found) return
    const { project } = found
    const repository = projectRepository(config, project)
    if (!(await haveMoved(repository, payload.moves))) {
      const delay_ms = waits_ms[payload.waits]
      if (delay_ms === undefined) return
      const waits = payload.waits + 1
      await enqueue(db, clock, {
        task: startPushPipelines,
        key: `${payload.id}:${waits}`,
        payload: { ...payload, waits },
        delay_ms,
      })
      return
    }
    for (const move of payload.moves) {
      await start(uses, { project, repository, git }, payload, move)
    }
  },
})

/** Whether the references have left what they were; all of them move at once. */
async function haveMoved(repository: Repository, moves: readonly Move[]): Promise<boolean> {
  const hasMoved = ({ name, oldOid, newOid }: Move) => {
    const oid = readRef(repository, name as RefName) ?? zeroOid
    return oid === newOid || oid !== oldOid
  }
  for (const end_ms = monotonic_ms() + watch_ms; ; ) {
    if (moves.some(hasMoved)) return true
    if (monotonic_ms() > end_ms) return false
    await setTimeout(look_ms)
  }
}

async function start(
  uses: PipelineUses,
  { project, repository, git }: { project: Project; repository: Repository; git: GitAccess },
  { id, user_id, options }: PushPayload,
  { name, oldOid, newOid }: Move,
): Promise<void> {
  const user = user_id === undefined ? undefined : await findUser(uses.db, user_id)
  if (!user || standingProblem(user, timestamp(uses.clock))) return
  const sha = await peelToCommit(git.objects, repository, newOid as Oid)
  const commit = sha && (await git.objects.commit(repository, sha))
  if (!sha || !commit) return
  try {
    await createPipeline(uses, {
      project,
      ref: name,
      source: 'push',
      user: actorUserOf(user),
      variables: variablesOf(options),
      origin: `push:${id}:${name}`,
      sha,
      before_sha: oldOid,
      keepsErrors: true,
      isSkipped: isSkipped(commit.message, options),
    })
  } catch (error) {
    // A push without a configuration, or by somebody who may not, makes no pipeline; nobody is told.
    if (!(error instanceof ApiError)) throw error
  }
}

/** `[skip ci]` or `[ci skip]` in the message, or `git push -o ci.skip`. */
function isSkipped(message: string, options: readonly string[]): boolean {
  return options.includes('ci.skip') || /\[(ci skip|skip ci)\]/i.test(message)
}

/** `git push -o ci.variable="KEY=value"`. */
function variablesOf(options: readonly string[]): PipelineVariable[] {
  const variables = new Map<string, string>()
  for (const option of options) {
    const [, key, value] = /^ci\.variable="?([A-Za-z0-9_]+)=([^"]*)"?$/s.exec(option) ?? []
    if (key !== undefined && value !== undefined) variables.set(key, value)
  }
  return [...variables].map(([key, value]) => ({ key, value, variable_type: 'env_var' }))
}
