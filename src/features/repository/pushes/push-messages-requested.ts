import type { Actor } from '../../../access/actor.ts'
import type { RefUpdate } from '../../../git/update-refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { Project } from '../../../subjects/project.ts'

export type PushMessagesRequest = {
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>
  /** The pusher's level where the repository is. */
  level: number
  /** What moved in the repository of a project; undefined for a wiki. */
  push: PushToProject | undefined
  /** Lines that the pusher reads; handlers add theirs. */
  messages: string[]
}

export type PushToProject = {
  project: Project
  caller: Actor
  /** What moved, in the order of the push. */
  updates: readonly RefUpdate[]
  options: readonly string[]
  baseUrl: string
}

/**
 * Runs after the references of a git push have moved, while the pusher waits for the report. Handlers are short, and never
 * throw for invalid requests of the pusher: they add messages about these to `messages`. For everything else that follows a
 * push see `pushLandedEffect`.
 */
export const pushMessagesRequested = declareEffect<PushMessagesRequest>('a push is reported')
