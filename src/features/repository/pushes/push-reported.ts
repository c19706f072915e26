import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'

export type ReportedPush = {
  uses: { db: Db; clock: Clock }
  /** The pusher's level where the repository is. */
  level: number
  /** Lines that the pusher reads behind those that are about the push; steps add theirs. */
  messages: string[]
}

/** Somebody has pushed by git to whatever repository, and is about to read the report. */
export const pushReported = declareEffect<ReportedPush>('a push is reported')
