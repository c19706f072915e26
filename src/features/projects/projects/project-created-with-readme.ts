import type { ActorUser } from '../../../access/actor.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { Project } from '../../../subjects/project.ts'

/** Runs when a project is created with a readme. */
export const projectCreatedWithReadmeEffect = declareEffect<
  Pick<Instance, 'db' | 'git' | 'clock' | 'config'> & {
    project: Project
    user: ActorUser
    /** The content of README.md. */
    readme: string
  }
>('a project is begun with a readme')
