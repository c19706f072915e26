import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { MemberSource } from './member-source.ts'

export type MemberChange = {
  tx: Db
  clock: Clock
  source: Pick<MemberSource, 'kind' | 'id'>
  user_id: number
  access_level: number
  expires_at: string | null
  action: 'added' | 'changed' | 'removed'
}

/** Runs when a member is added, changed (level or expiry) or removed. */
export const memberChangedEffect = declareEffect<MemberChange>('a membership changes')
