import type { ActorUser } from '../../../access/actor.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import type { GitAccess } from '../../../git/git.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { Project } from '../../../subjects/project.ts'

/** What else happens when somebody makes a project that is to begin with a readme. */
export const projectBegun = declareEffect<{
  db: Db
  git: GitAccess
  clock: Clock
  config: Config
  project: Project
  user: ActorUser
  /** The text of README.md. */
  readme: string
}>('a project is begun with a readme')
