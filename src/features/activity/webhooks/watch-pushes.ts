// Webhooks of pushes: one call for each branch and tag that moved, unless there are too many.
import { branchNameOf } from '../../../git/names.ts'
import { readSettingOrDefault } from '../../basics/settings/setting.ts'
import type { LandedPush } from '../../repository/pushes/push-landed.ts'
import { enqueueHookCalls, type HookCallRequest } from './call-hooks.ts'
import { listWebhooksOfScope } from './webhook.ts'

/** Enqueues the webhooks of a push. A repeated run enqueues the same tasks. */
export async function enqueuePushHooks({
  uses: { db, clock },
  push: { id, project, user, moves, options },
}: LandedPush): Promise<void> {
  const project_id = project.id
  const scope = { project_id }
  const hooks = await listWebhooksOfScope(db, scope)
  if (hooks.length === 0) return
  const user_id = user?.id ?? null
  const limit = await readSettingOrDefault(db, 'push_event_hooks_limit')
  const plain = moves.map(({ name, oldOid, newOid }) => ({ name, oldOid, newOid }))
  const branches = plain.filter(({ name }) => branchNameOf(name) !== undefined)
  const tags = plain.filter(({ name }) => name.startsWith('refs/tags/'))
  const told = [branches, tags].flatMap((group) => (group.length > limit ? [] : group))
  const calls = told.map((move): HookCallRequest => {
    const branch = branchNameOf(move.name)
    const about = { kind: 'push', project_id, user_id, move, options } as const
    return { event: branch === undefined ? 'tag_push_events' : 'push_events', about, branch }
  })
  const all = { kind: 'repository_update', project_id, user_id, moves: plain } as const
  calls.push({ event: 'repository_update_events', about: all })
  await enqueueHookCalls({ tx: db, clock }, scope, { cause: id, calls, hooks })
}
