// Processes a push by git from its commands to its report, for all transports.

import type { Actor } from '../../../access/actor.ts'
import { diskFullText, findFullDisk } from '../../../disk/disk.ts'
import { branchNameOf } from '../../../git/names.ts'
import type { PacketReader } from '../../../git/pkt-line.ts'
import { formatPushReport, type PushRequest, receivePush } from '../../../git/receive.ts'
import { pushRefusalPrefix } from '../../../http/brand.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import type { GitTarget } from '../../../subjects/git-target.ts'
import { projectRepository, projectUrl } from '../../../subjects/project.ts'
import { listBranchProtectionRules } from '../protected-branches/protected-branch.ts'
import { listTagProtectionRules } from '../protected-tags/protected-tag.ts'
import { findPushRefusal, findRuleRefusal } from './check-push.ts'
import { findCollaborativeBranches } from './collaboration.ts'
import { type PreparedPush, preparePush } from './push.ts'
import { pushMessagesRequested } from './push-messages-requested.ts'
import { takeProjectCreatedMessages } from './push-to-create.ts'
import { recheckPusher } from './recheck-access.ts'

export type PushToSettle = {
  request: PushRequest
  /** The reader of the request, positioned after the command list. The pack follows, if there is one. */
  reader: PacketReader
  caller: Actor
  target: GitTarget
  /** The public base URL of the web pages. */
  baseUrl: string
  /** The base of clone URLs of this transport, such as `https://host`. */
  remoteBaseUrl: string
  /** Aborts the push until it has been accepted. */
  signal: AbortSignal
  /** Called while the push waits for its turn or for memory. */
  onWait?: () => void
}

/** Receives the pack, authorizes the push, moves the references, and returns the report for the client. */
export async function processPush(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'>,
  push: PushToSettle,
): Promise<Buffer> {
  const { db, git } = uses
  const { request, reader, caller, baseUrl, signal, onWait } = push
  const { project, level } = push.target
  const { updates } = request
  const repository = projectRepository(uses.config, project)
  const branches = updates.flatMap(({ name }) => branchNameOf(name) ?? [])
  const asked = {
    db,
    git: git.git,
    objects: git.objects,
    repository,
    updates,
    fastForwards: new Map(),
    codeOwnerTexts: new Map(),
    hasCodeOwners: uses.config.tier !== 'free',
    repository_bytes_max: uses.config.sizeLimits.repository,
    membersUrl: `${projectUrl(baseUrl, project)}/-/project_members`,
  }
  let prepared: PreparedPush | undefined
  const full = findFullDisk(uses.config, project.repository_storage)
  const result = await receivePush(git.git, repository, {
    request,
    reader,
    bytes_max: uses.config.sizeLimits.push,
    refusesPacks: full && `${pushRefusalPrefix}${diskFullText(full, uses.config)}`,
    signal,
    onWait,
    handlers: {
      async check(quarantine, { gitAttributes }) {
        const refusal = await findPushRefusal({
          ...asked,
          project,
          caller: { actor: caller, level },
          rules: await listBranchProtectionRules(db, project.id, caller),
          tagRules: await listTagProtectionRules(db, project.id, caller),
          collaborations: await findCollaborativeBranches(
            db,
            { subject: project, level, actor: caller },
            branches.slice(0, limits.merge_requests.pushed_branches_max),
          ),
          quarantine,
          gitAttributes,
        })
        return refusal && `${pushRefusalPrefix}${refusal}`
      },
      async prepare() {
        prepared = await preparePush(uses, project, {
          moves: updates,
          user_id: caller.user?.id,
          options: request.options,
        })
      },
      async confirm() {
        const now = await recheckPusher(uses, push)
        if (typeof now === 'string') return `${pushRefusalPrefix}${now}`
        const rules = await listBranchProtectionRules(db, project.id, now.caller.actor)
        const refusal = await findRuleRefusal({
          ...asked,
          ...now,
          rules: rules.filter(({ id }) => id !== prepared?.ownRule),
          tagRules: await listTagProtectionRules(db, project.id, now.caller.actor),
          collaborations: await findCollaborativeBranches(
            db,
            { subject: now.project, ...now.caller },
            branches.slice(0, limits.merge_requests.pushed_branches_max),
          ),
          // The objects have left the quarantine by now.
          quarantine: undefined,
          gitAttributes: [],
        })
        return refusal && `${pushRefusalPrefix}${refusal}`
      },
    },
  })
  if (result.accepted.length > 0) {
    prepared?.landed()
    const { messages, accepted } = result
    messages.push(...movedMessages(push), ...takeProjectCreatedMessages(project, push))
    const { options } = request
    const reported = { project, caller, updates: accepted, options, baseUrl }
    await pushMessagesRequested.run({ uses, level, push: reported, messages })
  }
  return formatPushReport(request, result)
}

/** Returns the messages for a pusher who uses a former path (docs/api/git-access.md, "Who may fetch and push"). */
function movedMessages({ target, remoteBaseUrl }: PushToSettle): string[] {
  const { project, formerPath } = target
  if (formerPath === undefined) return []
  return [
    '',
    `Project '${formerPath}' was moved to '${project.full_path}'.`,
    '',
    'Please update your Git remote:',
    '',
    `  git remote set-url origin ${remoteBaseUrl}/${project.full_path}.git`,
    '',
  ]
}
