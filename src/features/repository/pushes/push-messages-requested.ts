import type { Actor } from '../../../access/actor.ts'
import type { RefUpdate } from '../../../git/update-refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { Project } from '../../../subjects/project.ts'

export type PushMessagesRequest = {
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>
  /** The pusher's access level on the project of the repository. */
  level: number
  /** The push to the repository of a project; undefined for a push to a wiki. */
  push: PushToProject | undefined
  /** Lines that git shows to the pusher. Handlers append to them. */
  messages: string[]
}

export type PushToProject = {
  project: Project
  caller: Actor
  /** The moved references, in the order of the push. */
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
