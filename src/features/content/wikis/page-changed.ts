import type { Oid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { OwningProjectOrGroup } from '../../../subjects/owner.ts'

/** What became of a page. `path` is its file, as it is now or was last. */
export type WikiPageChange = { action: 'create' | 'update' | 'delete'; path: string }

/**
 * Pages of a wiki have changed, by the API or by a push. Told at least once, by a task; `id` is the same
 * whenever it is told again.
 */
export const wikiPagesChangedEffect = declareEffect<{
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>
  id: string
  owner: OwningProjectOrGroup
  user_id: number
  /** The commit that has them; of a page that was deleted, the one before has it. */
  commit: Oid
  changes: readonly WikiPageChange[]
}>('pages of a wiki change')
