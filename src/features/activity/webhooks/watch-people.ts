// System hooks and group hooks of users, their keys and their memberships (docs/api/webhooks.md, "System events").
import { levelName } from '../../../access/level.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { findUser, type User } from '../../../subjects/user.ts'
import type { MemberChange } from '../../people/members/member-changed.ts'
import type { sshKeyChangedEffect } from '../../people/ssh-keys/ssh-key-changed.ts'
import type { UserChange } from '../../people/users/user-changed.ts'
import type { WebhookSubject } from '../webhook-payloads/webhook-subject.ts'
import { enqueueHookCalls } from './call-hooks.ts'
import { findGroupWithParent, findProjectWithOwner } from './system-event.store.ts'

type KeyChange = Parameters<typeof sshKeyChangedEffect.run>[0]

export const systemHookSubjectOfBody = (body: Record<string, unknown>): WebhookSubject => ({
  kind: 'body',
  body,
})

/** Returns the email address of a user if it is public. */
export const publicEmailOrRedacted = ({ public_email }: Pick<User, 'public_email'>): string =>
  public_email || '[REDACTED]'

/** Enqueues the system hooks of a created, renamed or deleted user. */
export async function enqueueUserHooks(change: UserChange): Promise<void> {
  const { tx, clock, user, action } = change
  const about = async () =>
    systemHookSubjectOfBody({
      event_name: `user_${action}`,
      created_at: user.created_at,
      updated_at: user.updated_at,
      name: user.name,
      email: publicEmailOrRedacted(user),
      user_id: user.id,
      username: user.username,
      ...(change.action === 'rename' ? { old_username: change.old_username } : {}),
    })
  await enqueueHookCalls({ tx, clock }, 'system', { calls: [{ event: 'system', about }] })
}

/** Enqueues the system hooks of an added or removed SSH key. */
export async function enqueueKeyHooks({ tx, clock, key, action }: KeyChange): Promise<void> {
  const about = async () => {
    const user = key.user_id === null ? undefined : await findUser(tx, key.user_id)
    return systemHookSubjectOfBody({
      event_name: `key_${action}`,
      created_at: key.created_at,
      updated_at: key.created_at,
      username: user?.username ?? null,
      key: key.key,
      id: key.id,
    })
  }
  await enqueueHookCalls({ tx, clock }, 'system', { calls: [{ event: 'system', about }] })
}

const verbs = { added: 'add_to', changed: 'update_for', removed: 'remove_from' } as const

/** Enqueues the webhooks of a changed membership. */
export async function enqueueMemberHooks(change: MemberChange): Promise<void> {
  const { tx, clock, source } = change
  if (source.kind === 'group') {
    const about = () => groupMember(change)
    const calls = [
      { event: 'member_events', about },
      { event: 'system', about },
    ] as const
    return enqueueHookCalls({ tx, clock }, { namespace_id: source.id }, { calls })
  }
  const about = () => projectMember(change)
  await enqueueHookCalls({ tx, clock }, 'system', { calls: [{ event: 'system', about }] })
}

async function personOf({ tx, user_id }: MemberChange) {
  const user = await findUser(tx, user_id)
  return {
    user_username: user?.username ?? null,
    user_name: user?.name ?? null,
    user_email: user ? publicEmailOrRedacted(user) : null,
    user_id,
  }
}

async function groupMember(change: MemberChange): Promise<WebhookSubject> {
  const { tx, clock, source, access_level, expires_at, action } = change
  const group = await findGroupWithParent(tx, source.id)
  const now = timestamp(clock)
  return systemHookSubjectOfBody({
    created_at: now,
    updated_at: now,
    group_name: group?.name ?? null,
    group_path: group?.path ?? null,
    group_id: source.id,
    ...(await personOf(change)),
    group_access: levelName(access_level),
    group_plan: null,
    expires_at: expires_at === null ? null : `${expires_at}T00:00:00Z`,
    event_name: `user_${verbs[action]}_group`,
  })
}

async function projectMember(change: MemberChange): Promise<WebhookSubject> {
  const { tx, clock, source, access_level, action } = change
  const project = await findProjectWithOwner(tx, source.id)
  const now = timestamp(clock)
  return systemHookSubjectOfBody({
    event_name: `user_${verbs[action]}_team`,
    created_at: now,
    updated_at: now,
    project_name: project?.name ?? null,
    project_path: project?.path ?? null,
    project_path_with_namespace: project ? `${project.namespace_path}/${project.path}` : null,
    project_id: source.id,
    ...(await personOf(change)),
    access_level: levelName(access_level),
    project_visibility: project?.visibility ?? null,
  })
}
