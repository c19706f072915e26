// Payloads of pushes (docs/api/webhooks.md, "Push").

import { listChangedPathsByCommit } from '../../../git/changed-paths.ts'
import { GitError } from '../../../git/errors.ts'
import { branchNameOf, type Oid, zeroOid } from '../../../git/names.ts'
import type { Commit } from '../../../git/objects.ts'
import { peelToCommit } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { findUser } from '../../../subjects/user.ts'
import { countGainedCommits, listGainedCommits } from '../../repository/pushes/gained-commits.ts'
import {
  avatarUrlOfUser,
  type PayloadUser,
  presentCommitBlock,
  presentFullRepositoryBlock,
  presentProjectBlock,
  webUrlOfProject,
} from './payload-blocks.ts'
import { findProjectForPayload, type ProjectForPayload } from './webhook-payload.ts'
import type { WebhookRefMove, WebhookSubject } from './webhook-subject.ts'

type Of<Kind extends WebhookSubject['kind']> = Extract<WebhookSubject, { kind: Kind }>

export async function buildPushPayload(
  uses: Instance,
  { project_id, user_id, move, options }: Of<'push'>,
  { isSystem }: { isSystem: boolean },
) {
  const { db, git, config } = uses
  const project = await findProjectForPayload(db, project_id)
  if (!project) return undefined
  const user = user_id === null ? undefined : await findUser(db, user_id)
  const repository = projectRepository(config, project)
  const isTag = branchNameOf(move.name) === undefined
  const isGone = move.newOid === zeroOid
  const { newOid } = move
  const checkout_sha = isGone ? undefined : await peelToCommit(git.objects, repository, newOid)
  const annotation = isTag && !isGone ? await git.objects.tag(repository, newOid) : undefined
  const pushed = await listPushed(uses, { project, repository, move, tip: checkout_sha })
  const object_kind = isTag ? 'tag_push' : 'push'
  return {
    object_kind,
    event_name: object_kind,
    before: move.oldOid,
    after: move.newOid,
    ref: move.name,
    checkout_sha: checkout_sha ?? null,
    message: annotation?.message.trimEnd() ?? null,
    ...pusherOf(uses, user),
    project_id,
    project: presentProjectBlock(config, project),
    commits: isSystem ? [] : pushed.commits,
    total_commits_count: pushed.total,
    push_options: optionsOf(options),
    repository: presentFullRepositoryBlock(config, project),
  }
}

function pusherOf({ config }: Instance, user: PayloadUser | undefined) {
  return {
    user_id: user?.id ?? null,
    user_name: user?.name ?? null,
    user_username: user?.username ?? null,
    user_email: user?.public_email || null,
    user_avatar: user ? avatarUrlOfUser(config, user) : null,
  }
}

/**
 * Returns push options as an object: `-o ci.variable="A=b" -o ci.skip` becomes `{ ci: { variable: { 'A=b': 1
 * }, skip: true } }`.
 */
function optionsOf(options: readonly string[]): Record<string, unknown> {
  const groups = new Map<string, Map<string, unknown>>()
  for (const option of options) {
    const [, group = '', key = '', value] = /^(\w+)\.(\w+)(?:=(.*))?$/s.exec(option) ?? []
    if (group === '') continue
    const keys = groups.get(group) ?? new Map<string, unknown>()
    groups.set(group, keys)
    const values = keys.get(key)
    if (value === undefined) keys.set(key, true)
    else keys.set(key, { ...(typeof values === 'object' ? values : {}), [value]: 1 })
  }
  return Object.fromEntries([...groups].map(([group, keys]) => [group, Object.fromEntries(keys)]))
}

/**
 * Returns the newest commits that a branch has gained, oldest first, and their total number. For a new branch
 * these are the commits that the default branch does not have; a tag gains none.
 */
async function listPushed(
  { git, config }: Instance,
  {
    project,
    repository,
    move,
    tip,
  }: {
    project: ProjectForPayload
    repository: Repository
    move: WebhookRefMove
    tip: Oid | undefined
  },
) {
  if (!tip) return { commits: [], total: 0 }
  const gained = { move, default_branch: project.default_branch }
  try {
    const limit = limits.webhooks.commits_max
    const oids = await listGainedCommits(git, repository, { ...gained, limit })
    const total =
      oids.length < limit ? oids.length : await countGainedCommits(git, repository, gained)
    const names = await listChangedPathsByCommit(git.git, repository, oids)
    const read = await Promise.all(oids.map((oid) => git.objects.commit(repository, oid)))
    const web_url = webUrlOfProject(config, project)
    const commits = read
      .filter((commit): commit is Commit => commit !== undefined)
      .map((commit) => ({
        ...presentCommitBlock(commit, web_url),
        ...(names.get(commit.oid) ?? { added: [], modified: [], removed: [] }),
      }))
    return { commits: commits.toReversed(), total }
  } catch (error) {
    // Commits that a later push made unreachable may have been deleted. The call is made without them.
    if (!(error instanceof GitError)) throw error
    return { commits: [], total: 0 }
  }
}

export async function buildRepositoryUpdatePayload(
  uses: Instance,
  { project_id, user_id, moves }: Of<'repository_update'>,
) {
  const project = await findProjectForPayload(uses.db, project_id)
  if (!project) return undefined
  const user = user_id === null ? undefined : await findUser(uses.db, user_id)
  const { user_username, ...pusher } = pusherOf(uses, user)
  return {
    event_name: 'repository_update',
    ...pusher,
    project_id,
    project: presentProjectBlock(uses.config, project),
    changes: moves.map(({ name, oldOid, newOid }) => ({
      before: oldOid,
      after: newOid,
      ref: name,
    })),
    refs: moves.map(({ name }) => name),
  }
}
