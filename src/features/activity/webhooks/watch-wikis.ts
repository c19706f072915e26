// Webhooks of wiki pages. Wikis of groups have none.
import type { wikiPagesChangedEffect } from '../../content/wikis/page-changed.ts'
import { enqueueHookCalls, type HookCallRequest } from './call-hooks.ts'

/** Enqueues webhook calls when wiki pages change; a repeated step enqueues the same tasks. */
export async function enqueueWikiPageHooks({
  uses: { db, clock },
  id,
  owner,
  user_id,
  commit,
  changes,
}: Parameters<typeof wikiPagesChangedEffect.run>[0]): Promise<void> {
  if (owner.kind === 'group') return
  const project_id = owner.id
  const calls = changes.map(
    (change): HookCallRequest => ({
      event: 'wiki_page_events',
      about: { kind: 'wiki_page', project_id, user_id, commit, change },
    }),
  )
  await enqueueHookCalls({ tx: db, clock }, { project_id }, { cause: id, calls })
}
