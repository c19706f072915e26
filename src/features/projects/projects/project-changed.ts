import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'

export type ProjectChange = { tx: Db; clock: Clock; project_id: number } & (
  | { action: 'create' | 'update' }
  | { action: 'rename' | 'transfer'; old_path_with_namespace: string }
)

/** Runs when a project is ready, was changed, or was moved. For deletions see `projectRemovedEffect` in project.tasks.ts. */
export const projectChangedEffect = declareEffect<ProjectChange>('a project is made or changed')
