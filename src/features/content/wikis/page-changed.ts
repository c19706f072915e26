import type { Oid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import type { OwningProjectOrGroup } from '../../../subjects/owner.ts'

/** A change of a page. `path` is the path of its file, or its last one. */
export type WikiPageChange = { action: 'create' | 'update' | 'delete'; path: string }

/**
 * Runs after pages of a wiki were changed, by the API or a push. A task runs it, so it may be repeated, with the same
 * `id`.
 */
export const wikiPagesChangedEffect = declareEffect<{
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>
  id: string
  owner: OwningProjectOrGroup
  user_id: number
  /** The commit with the changes. A deleted page is in its parent. */
  commit: Oid
  changes: readonly WikiPageChange[]
}>('pages of a wiki change')
