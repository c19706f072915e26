// The wikis of projects and groups over git: `<full path>.wiki`, with any transport.

import type { Actor } from '../../../access/actor.ts'
import type { Facts } from '../../../access/rule.ts'
import { canSeeProject } from '../../../access/visibility.ts'
import type { Db } from '../../../db/db.ts'
import { diskFullText, findFullDisk } from '../../../disk/disk.ts'
import { zeroOid } from '../../../git/names.ts'
import type { PacketReader } from '../../../git/pkt-line.ts'
import { quarantineSize } from '../../../git/quarantine.ts'
import { formatPushReport, type PushRequest, receivePush } from '../../../git/receive.ts'
import { repositoryExists } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { pushRefusalPrefix } from '../../../http/brand.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { findGitTarget } from '../../../subjects/git-target.ts'
import { findGroup } from '../../../subjects/group.ts'
import { groupAsOwner, type OwningProjectOrGroup, projectAsOwner } from '../../../subjects/owner.ts'
import { findWiki, mayReadWiki, mayWriteWiki, wikiRepository } from '../../../subjects/wiki.ts'
import {
  type GitRefusal,
  type GitService,
  projectNotFoundText,
  requiredTokenScopes,
} from '../../repository/pushes/authorize.ts'
import { pushMessagesRequested } from '../../repository/pushes/push-messages-requested.ts'
import { pushOverQuotaText } from '../../repository/quotas/quota.ts'
import { ensureWiki, recheckWikiAccess, wikiSizeLimitText } from './change-wiki.ts'
import { wikiBranch } from './read-pages.ts'
import { findWikiQuotaExcess, prepareWikiPush } from './wiki-push.ts'

type Uses = Pick<Instance, 'db' | 'git' | 'clock' | 'config'>

const suffix = '.wiki'
const hidden: GitRefusal = { reason: 'hidden', text: projectNotFoundText }
const noReading = 'You are not allowed to download files from this wiki.'
const noWriting = 'You are not allowed to push code to this wiki.'

/** Returns whether a path may be that of a wiki. */
export const isWikiPath = (path: string): boolean => path.toLowerCase().endsWith(suffix)

/**
 * Returns the wiki of the path if the caller may use it, or the refusal. Creates its repository for the first push,
 * and for reads by those who may push.
 */
export async function openWikiForGit(
  uses: Uses,
  actor: Actor,
  { path, service }: { path: string; service: GitService },
): Promise<{ owner: OwningProjectOrGroup; level: number; repository: Repository } | GitRefusal> {
  const { db, config } = uses
  // Deploy keys, deploy tokens and job tokens give no access to wikis.
  if (actor.job || actor.deployToken || (actor.key && !actor.user)) return hidden
  const facts = await findWikiOwner(db, actor, path.slice(0, -suffix.length))
  if (!facts) return hidden
  const { subject: owner, level } = facts
  const { token } = actor
  const forbid = (text: string): GitRefusal => ({ reason: 'forbidden', text })
  if (token && !token.scopes.some((scope) => requiredTokenScopes[service].includes(scope))) {
    return forbid(service === 'git-receive-pack' ? noWriting : noReading)
  }
  if (!mayReadWiki(facts)) return forbid(noReading)
  const mayWrite = mayWriteWiki(facts)
  if (service === 'git-receive-pack' && !mayWrite) return forbid(noWriting)
  if (mayWrite) return { owner, level, repository: (await ensureWiki(uses, owner)).repository }
  const wiki = await findWiki(db, owner)
  const repository = wiki && wikiRepository(config, wiki)
  if (!repository || !repositoryExists(repository)) {
    return { reason: 'hidden', text: 'A repository for this wiki does not exist yet.' }
  }
  return { owner, level, repository }
}

/** Returns the owner of a wiki by its path, or by a former path of a project; undefined if the caller can see none. */
async function findWikiOwner(
  db: Db,
  actor: Actor,
  path: string,
): Promise<Facts<OwningProjectOrGroup> | undefined> {
  if (path.includes('\0')) return undefined
  const found = await findGitTarget(db, actor, path)
  if (found) {
    if (!canSeeProject(actor, found)) return undefined
    return { subject: projectAsOwner(found.project), level: found.level, actor }
  }
  const group = await findGroup(db, actor, { path })
  if (!group?.isVisible) return undefined
  return { subject: groupAsOwner(group.group), level: group.level, actor }
}

/**
 * Receives a push to a wiki and returns the report for the client. Everybody who may write the wiki may move all its
 * references.
 */
export async function processWikiPush(
  uses: Uses,
  push: {
    request: PushRequest
    reader: PacketReader
    caller: Actor
    owner: OwningProjectOrGroup
    level: number
    signal: AbortSignal
    onWait?: () => void
  },
): Promise<Buffer> {
  const { db, git, config } = uses
  const { request, reader, caller, owner, level, signal, onWait } = push
  const { wiki, repository } = await ensureWiki(uses, owner)
  const full = findFullDisk(config, wiki.repository_storage)
  let landed: (() => void) | undefined
  const result = await receivePush(git.git, repository, {
    request,
    reader,
    bytes_max: config.sizeLimits.push,
    refusesPacks: full && `${pushRefusalPrefix}${diskFullText(full, config)}`,
    signal,
    onWait,
    handlers: {
      async check(quarantine) {
        // A push that only deletes references frees space.
        if (request.updates.every(({ newOid }) => newOid === zeroOid)) return undefined
        if (wiki.size > config.sizeLimits.repository) {
          return `${pushRefusalPrefix}${wikiSizeLimitText}`
        }
        const bytes = quarantine ? await quarantineSize(quarantine) : 0
        const excess = await findWikiQuotaExcess(db, owner, bytes)
        return excess && `${pushRefusalPrefix}${pushOverQuotaText(excess)}`
      },
      async prepare() {
        const branch = wikiBranch(repository)
        const user_id = caller.user?.id ?? 0
        landed = await prepareWikiPush(
          uses,
          { wiki, repository },
          { moves: request.updates, branch, user_id },
        )
      },
      async confirm() {
        try {
          const isAllowed = mayWriteWiki(await recheckWikiAccess(uses, caller, owner))
          return isAllowed ? undefined : `${pushRefusalPrefix}${noWriting}`
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          return `${pushRefusalPrefix}${projectNotFoundText}`
        }
      },
    },
  })
  if (result.accepted.length > 0) {
    landed?.()
    const { messages } = result
    await pushMessagesRequested.run({ uses, level, push: undefined, messages })
  }
  return formatPushReport(request, result)
}
