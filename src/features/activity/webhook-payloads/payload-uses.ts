import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import type { GitAccess } from '../../../git/git.ts'
import type { Clock } from '../../../kernel/clock.ts'

/** What bodies are made by; tasks and operations both have it. */
export type PayloadUses = {
  db: Db
  git: GitAccess
  clock: Clock
  config: Config
  secretKey: Buffer
}
