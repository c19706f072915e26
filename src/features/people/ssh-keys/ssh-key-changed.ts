import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { SshKey } from './ssh-key.ts'

/** Runs when a user adds or removes an SSH key. */
export const sshKeyChangedEffect = declareEffect<{
  tx: Db
  clock: Clock
  key: SshKey
  action: 'create' | 'destroy'
}>('a key of a user is added or removed')
