import type { Actor } from '../../../access/actor.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import type { GitAccess } from '../../../git/git.ts'
import type { RefUpdate } from '../../../git/refs.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { Project } from '../../../subjects/project.ts'

export type AcceptedPush = {
  uses: { db: Db; git: GitAccess; clock: Clock; config: Config }
  push: {
    project: Project
    caller: Actor
    /** What moved, in the order of the push. */
    updates: readonly RefUpdate[]
    options: readonly string[]
    baseUrl: string
  }
  /** Lines that the pusher reads; steps add theirs. */
  messages: string[]
}

/**
 * The references of a push by git have moved, and its pusher waits for the report. Steps are short, and never
 * throw for what the pusher asked: they say what is wrong with it.
 */
export const pushAccepted = declareEffect<AcceptedPush>('a push is accepted')
