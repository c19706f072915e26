// Pushes to mirrors, after pushes to the project or on request.

import { promisify } from 'node:util'
import { anonymous } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { GitError } from '../../../git/errors.ts'
import { pushMirror } from '../../../git/push-mirror.ts'
import { hasBranches, listRefs } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { toStorableText } from '../../../kernel/storable.ts'
import {
  type AddressPolicy,
  createGuardedLookup,
  hostOfUrl,
  UnreachableError,
} from '../../../outgoing/address-policy.ts'
import { findProject, projectRepository } from '../../../subjects/project.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import {
  listBranchProtectionRules,
  rulesMatchingBranch,
} from '../protected-branches/protected-branch.ts'
import type { LandedPush } from '../pushes/push-landed.ts'
import { readMirrorAddressPolicy } from './mirror-address-policy.ts'
import { splitUrlCredentials } from './mirror-url.ts'
import {
  findRemoteMirror,
  listEnabledMirrors,
  type RemoteMirror,
  updateRemoteMirror,
} from './remote-mirror.store.ts'

/** Pushes to a mirror. Safe to repeat: what is already there is not pushed again. */
export const updateMirrorTask = defineTask({
  name: 'update-remote-mirror',
  lane: 'mirrors',
  async run(uses: Instance, { mirror_id }: { mirror_id: number }) {
    const { db, clock } = uses
    const mirror = await findRemoteMirror(db, { id: mirror_id })
    if (!mirror?.enabled) return
    const last_update_started_at = timestamp(clock)
    await updateRemoteMirror(db, mirror.id, { update_status: 'started', last_update_started_at })
    const last_error = await tryToPush(uses, mirror)
    const last_update_at = timestamp(clock)
    await updateRemoteMirror(db, mirror.id, {
      update_status: last_error === null ? 'finished' : 'failed',
      last_update_at,
      last_error,
      ...(last_error === null ? { last_successful_update_at: last_update_at } : {}),
    })
  },
})

/** Enqueues a push to the mirror, delayed until the minimum interval since the last one has passed. */
export async function enqueueMirrorUpdate(
  db: Db,
  clock: Clock,
  mirror: RemoteMirror,
): Promise<void> {
  const { interval_ms, protected_interval_ms } = limits.remote_mirrors
  const interval = mirror.only_protected_branches ? protected_interval_ms : interval_ms
  const last = mirror.last_update_started_at
  const due_ms = last === null ? 0 : Date.parse(last) + interval - clock().getTime()
  await enqueue(db, clock, {
    task: updateMirrorTask,
    key: String(mirror.id),
    payload: { mirror_id: mirror.id },
    delay_ms: Math.max(0, due_ms),
  })
}

/** Enqueues updates of the project's mirrors after a push has landed. */
export async function enqueueMirrorUpdatesAfterPush({
  uses: { db, clock },
  push,
}: LandedPush): Promise<void> {
  for (const mirror of await listEnabledMirrors(db, push.project.id)) {
    await enqueueMirrorUpdate(db, clock, mirror)
  }
}

/** Pushes to the mirror. Returns null on success, otherwise the reason of the failure as its owner may see it. */
async function tryToPush(uses: Instance, mirror: RemoteMirror): Promise<string | null> {
  const { db, git, config, secretKey } = uses
  const found = await findProject(db, anonymous, { id: mirror.project_id })
  if (!found) return null
  const repository = projectRepository(config, found.project)
  if (!hasBranches(repository)) return null
  const refspecs = await refspecsOf(db, repository, mirror)
  if (refspecs.length === 0) return null
  const { url, credentials } = splitUrlCredentials(openSecret(secretKey, mirror.url))
  try {
    const address = await findAddress(url, await readMirrorAddressPolicy(db))
    await pushMirror(git.git, repository, {
      url,
      address,
      credentials,
      refspecs,
      prunes: !mirror.only_protected_branches && !mirror.keep_divergent_refs,
      timeout_ms: limits.remote_mirrors.push_ms,
    })
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

/** Returns an address of the host that the server may connect to. */
async function findAddress(url: URL, reach: AddressPolicy): Promise<string> {
  const lookup = promisify(createGuardedLookup(reach)) as unknown as (
    host: string,
    options: { all: false },
  ) => Promise<string>
  return lookup(hostOfUrl(url), { all: false })
}

/** Returns the refspecs of all branches and tags, or of protected branches; with `+` unless divergent references are kept. */
async function refspecsOf(
  db: Db,
  repository: Repository,
  { project_id, only_protected_branches, keep_divergent_refs }: RemoteMirror,
): Promise<string[]> {
  const force = keep_divergent_refs ? '' : '+'
  const asItIs = (name: string) => `${force}${name}:${name}`
  if (!only_protected_branches) return ['refs/heads/*', 'refs/tags/*'].map(asItIs)
  const rules = await listBranchProtectionRules(db, project_id, anonymous)
  const prefix = 'refs/heads/'
  const names: string[] = []
  for await (const run of (await listRefs(repository, prefix)).runs()) {
    for (const { name } of run) {
      if (rulesMatchingBranch(rules, name.slice(prefix.length)).length > 0) names.push(name)
    }
  }
  return names.slice(0, limits.mirrored_refs_max).map(asItIs)
}

/** Returns the message of git, which never contains the password. */
function reasonOf(error: unknown): string {
  const isUnreachable = error instanceof UnreachableError || (error as { code?: string }).code
  if (isUnreachable) return 'The address cannot be reached.'
  if (!(error instanceof GitError)) throw error
  if (error.kind === 'timeout') return 'The push took too long.'
  if (error.stderr.includes('could not read Username')) return 'The name or password is wrong.'
  const text = error.stderr.trim() || 'The push failed.'
  return toStorableText(text).slice(0, limits.remote_mirrors.error_characters)
}
