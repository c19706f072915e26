// Creates and changes merge requests by push options: `git push -o merge_request.create` (docs/api/merge-requests.md,
// "Push options").
import type { Actor, ActorUser } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { GitError } from '../../../git/errors.ts'
import { branchNameOf, branchRef, type Oid, zeroOid } from '../../../git/names.ts'
import type { Commit } from '../../../git/objects.ts'
import { readRef } from '../../../git/refs.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { findIssuable, type Issuable, mayUpdateIssuable } from '../../../subjects/issuable.ts'
import { findVisibleProject, type Project, projectRepository } from '../../../subjects/project.ts'
import type { IssuableFields } from '../../planning/issuables/issuable-fields.ts'
import { filterUsersWhoCanReadIssuable } from '../../planning/issuables/list-references.ts'
import { findMilestonesByTitle } from '../../planning/milestones/milestone.ts'
import { mayMergeIntoBranch } from '../../repository/protected-branches/merge-right.ts'
import type {
  PushMessagesRequest,
  PushToProject,
} from '../../repository/pushes/push-messages-requested.ts'
import { addDraftPrefix } from '../merge-requests/draft.ts'
import {
  findRequestWithProjects,
  listOpenRequestsFromBranch,
} from '../merge-requests/merge-request.ts'
import {
  listCommitsOfRequest,
  syncMergeRequestWithBranches,
} from '../merge-requests/refresh-request.ts'
import { enableAutoMerge } from '../merging/auto-merge.ts'
import { findFirstMultilineCommit } from '../merging/merge-message.ts'
import { changeMergeRequest } from './change-request.ts'
import { createMergeRequest } from './create-request.ts'
import { mayProposeMergeInto } from './merge-request-change.policy.ts'
import { findForkSourceId, listLabelTitles } from './merge-request-change.store.ts'

type Asked = {
  create?: true
  target?: string
  target_project?: string
  title?: string
  description?: string
  draft?: true
  milestone?: string
  merge_when_pipeline_succeeds?: true
  remove_source_branch?: true
  label: string[]
  unlabel: string[]
  assign: string[]
  unassign: string[]
}

const optionPattern = /^(?:merge_request|mr)\.([a-z_]{1,40})(?:=(.*))?$/s
const flags = ['create', 'draft', 'merge_when_pipeline_succeeds', 'remove_source_branch'] as const
const texts = ['target', 'target_project', 'title', 'description', 'milestone'] as const
const lists = ['label', 'unlabel', 'assign', 'unassign'] as const

const isOneOf = <T extends string>(names: readonly T[], name: string): name is T =>
  (names as readonly string[]).includes(name)

/**
 * Parses the options of a push; returns what they request, and which options do so; undefined if none does. Unknown
 * options are ignored.
 */
export function parsePushOptions(
  options: readonly string[],
): { asked: Asked; given: string[] } | undefined {
  const asked: Asked = { label: [], unlabel: [], assign: [], unassign: [] }
  const given: string[] = []
  for (const option of options) {
    const [, name = '', value] = optionPattern.exec(option) ?? []
    if (isOneOf(flags, name)) asked[name] = true
    else if (isOneOf(texts, name) && value !== undefined) asked[name] = unescaped(value)
    else if (isOneOf(lists, name) && value !== undefined) asked[name].push(value)
    else continue
    given.push(option)
  }
  return given.length === 0 ? undefined : { asked, given }
}

/** Decodes `\n`, since an option cannot contain a line break. */
function unescaped(value: string): string {
  return value.replaceAll('\\n', '\n')
}

/** Applies the options of a push. Returns messages about what is wrong with them, which never fail the push. */
export async function applyPushOptions(
  uses: PushMessagesRequest['uses'],
  push: PushToProject,
): Promise<string[]> {
  const read = parsePushOptions(push.options)
  if (!read) return []
  const errors = await apply(uses, push, read.asked)
  if (errors.length === 0) return []
  const options = read.given.map((option) => `'${option}'`).join(' ')
  const text = `Error encountered with push options ${options}: ${errors.join('\n\n')}`
  return ['', 'WARNINGS:', ...text.split('\n'), '']
}

type Uses = PushMessagesRequest['uses']
type Branch = { name: string; tip: Oid }

async function apply(uses: Uses, push: PushToProject, asked: Asked): Promise<string[]> {
  const { project, caller } = push
  const { user } = caller
  if (!user) return ['User is required']
  const actor = { ...caller, user }
  const target = await findTarget(uses, actor, project, asked)
  if (!target) return ['User access was denied']
  const branches = push.updates.flatMap(({ name, newOid }): Branch[] => {
    const branch = branchNameOf(name)
    const isMeant = branch !== undefined && newOid !== zeroOid && branch !== project.default_branch
    return isMeant ? [{ name: branch, tip: newOid }] : []
  })
  const errors: string[] = []
  if (target.project.merge_requests_access_level === 'disabled') {
    errors.push(`Merge requests are not enabled for project ${target.project.full_path}`)
  }
  const most = limits.merge_requests.pushed_branches_max
  if (branches.length > most) {
    errors.push(`Too many branches pushed (${branches.length} were pushed, limit is ${most})`)
  }
  const target_branch = asked.target ?? target.project.default_branch ?? 'main'
  const ref = branchRef(target_branch)
  if (asked.target !== undefined) {
    const repository = projectRepository(uses.config, target.project)
    if (!ref || !readRef(repository, ref)) errors.push(`Branch ${asked.target} does not exist`)
  }
  if (errors.length > 0) return errors
  for (const branch of branches) {
    const one = { push, actor, target, target_branch, branch, asked }
    errors.push(...(await applyToBranch(uses, one)))
  }
  return errors
}

type Target = { project: Project; level: number }
type Signed = Actor & { user: ActorUser }

/**
 * Returns the target project: the named project, the source of a fork, or the project itself, if the pusher
 * can see it.
 */
async function findTarget(
  { db }: Uses,
  actor: Actor,
  project: Project,
  { target_project }: Asked,
): Promise<Target | undefined> {
  const forkedFrom = await findForkSourceId(db, project.id)
  const by =
    target_project !== undefined
      ? /^\d{1,15}$/.test(target_project)
        ? { id: Number(target_project) }
        : { path: target_project }
      : { id: forkedFrom ?? project.id }
  return findVisibleProject(db, actor, by)
}

type OneBranch = {
  push: PushToProject
  actor: Signed
  target: Target
  target_branch: string
  branch: Branch
  asked: Asked
}

async function applyToBranch(uses: Uses, one: OneBranch): Promise<string[]> {
  const { db } = uses
  const { push, target, branch, asked } = one
  const open = await listOpenRequestsFromBranch(db, {
    project_id: push.project.id,
    branch: branch.name,
    limit: limits.merge_requests.followed_max,
  })
  const existing = open.find(({ full_path }) => full_path === target.project.full_path)
  try {
    if (existing) await change(uses, one, existing.id)
    else if (asked.create) await create(uses, one)
    else {
      return [
        `A merge_request.create push option is required to create a merge request for branch ${branch.name}`,
      ]
    }
    return []
  } catch (error) {
    // The references have already moved, so the push succeeds even if git fails here.
    if (error instanceof GitError) return ['Something went wrong']
    if (!(error instanceof ApiError)) throw error
    return [error.kind === 'forbidden' ? 'User access was denied' : textOf(error)]
  }
}

function textOf({ detail }: ApiError): string {
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail)) return detail.join('\n\n')
  return Object.entries(detail)
    .flatMap(([field, problems]) => problems.map((problem) => `${field} ${problem}`))
    .join('\n\n')
}

const denied = () => new ApiError('forbidden', '403 Forbidden')

async function create(uses: Uses, one: OneBranch): Promise<void> {
  const { push, actor, target, target_branch, branch, asked } = one
  const facts = { subject: target.project, level: target.level, actor }
  if (!mayProposeMergeInto(facts)) throw denied()
  const suggested = await suggest(uses, one)
  const title = asked.title ?? suggested.title
  const { fields } = await fieldsOf(uses.db, one, undefined)
  const issuable = await createMergeRequest(
    { ...uses, actor, baseUrl: push.baseUrl },
    {
      source: push.project,
      target: target.project,
      level: target.level,
      source_branch: branch.name,
      target_branch,
      fields: {
        assignee_ids: [actor.user.id],
        ...(suggested.milestone_id !== null && { milestone_id: suggested.milestone_id }),
        ...fields,
        labels: [...suggested.labels, ...asked.label],
        title: asked.draft || suggested.isDraft ? addDraftPrefix(title) : title,
        description: asked.description ?? suggested.description,
      },
      remove_source_branch: asked.remove_source_branch,
    },
  )
  if (asked.merge_when_pipeline_succeeds) await enableAutoMergeFor(uses, one, issuable.id)
}

async function change(uses: Uses, one: OneBranch, id: number): Promise<void> {
  const { push, actor, target, asked } = one
  const found = await findIssuable(uses.db, actor, { id })
  if (!found) return
  const subject = { ...target.project, ...found }
  if (!mayUpdateIssuable({ subject, level: target.level, actor })) throw denied()
  const { fields } = await fieldsOf(uses.db, one, found.issuable)
  const inner = { ...uses, actor, baseUrl: push.baseUrl }
  await changeMergeRequest(inner, {
    subject,
    level: target.level,
    asked: {
      fields: { ...fields, add_labels: asked.label, remove_labels: asked.unlabel },
      target_branch: asked.target,
      remove_source_branch: asked.remove_source_branch,
    },
  })
  if (asked.merge_when_pipeline_succeeds) await enableAutoMergeFor(uses, one, id)
}

/** Enables auto-merge for the pipeline of this push, if the pusher may merge. */
async function enableAutoMergeFor(
  uses: Uses,
  { actor, target }: OneBranch,
  id: number,
): Promise<void> {
  await syncMergeRequestWithBranches(uses, id)
  const whole = await findRequestWithProjects(uses.db, id)
  if (!whole?.request.head_sha) return
  const facts = { subject: target.project, level: target.level, actor }
  if (!(await mayMergeIntoBranch(uses.db, facts, whole.request.target_branch))) throw denied()
  await enableAutoMerge(uses, whole, { user: actor.user, parameters: {} })
}

/** Returns the title, description, assignees and milestone that the push options set. */
async function fieldsOf(
  db: Db,
  { actor, target, asked }: OneBranch,
  before: Issuable | undefined,
): Promise<{ fields: IssuableFields }> {
  const { project } = target
  const fields: IssuableFields = {}
  if (before) {
    const title = asked.title ?? before.title
    if (asked.title !== undefined || asked.draft) {
      fields.title = asked.draft ? addDraftPrefix(title) : title
    }
    if (asked.description !== undefined) fields.description = asked.description
  }
  if (asked.milestone !== undefined) {
    const title = asked.milestone.replace(/^%/, '')
    const [milestone] = await findMilestonesByTitle(db, project, [title])
    if (milestone) fields.milestone_id = milestone.id
  }
  if (asked.assign.length > 0 || asked.unassign.length > 0) {
    const users = await usersNamed(db, project, asked.assign)
    const gone = new Set(await usersNamed(db, project, asked.unassign))
    const ids = before || asked.assign.length > 0 ? users : [actor.user.id]
    fields.assignee_ids = ids.filter((id) => !gone.has(id))
  }
  return { fields }
}

async function usersNamed(db: Db, project: Project, names: readonly string[]): Promise<number[]> {
  const ids = names.filter((name) => /^\d{1,15}$/.test(name)).map(Number)
  const usernames = names.map((name) => name.replace(/^@/, '').toLowerCase())
  const seen = {
    project,
    isRestricted: project.visibility === 'private',
    isMembersOnly: project.merge_requests_access_level === 'private',
  }
  const found = [
    ...(await filterUsersWhoCanReadIssuable(db, seen, { ids })),
    ...(await filterUsersWhoCanReadIssuable(db, seen, { usernames })),
  ]
  return [...new Set(found.map(({ id }) => id))]
}

type Suggestion = {
  title: string
  description: string
  isDraft: boolean
  labels: string[]
  milestone_id: number | null
}

/**
 * Returns the default title and description for a merge request of the branch, from its commits or from the issue that
 * its name begins with.
 */
async function suggest(
  { db, git, config }: Uses,
  { push, actor, target, target_branch, branch }: OneBranch,
): Promise<Suggestion> {
  const repository = projectRepository(config, push.project)
  const ref = branchRef(target_branch)
  const own = ref && readRef(repository, ref)
  const oids = own
    ? await listCommitsOfRequest(git, repository, { head: branch.tip, start: own })
    : [branch.tip]
  const commits = await git.objects.commits(
    repository,
    oids.slice(0, limits.merge_requests.commits_max),
  )
  const commit = commits.length === 1 ? commits[0] : findFirstMultilineCommit(commits)
  const iid = Number(/^(\d{1,9})-/.exec(branch.name)?.[1] ?? 0)
  const issue =
    iid > 0
      ? await findIssuable(db, actor, { project_id: target.project.id, kind: 'issue', iid })
      : undefined
  const isOpen = issue?.issuable.state === 'opened' && !issue.issuable.confidential
  const issuable = isOpen ? issue.issuable : undefined
  const closing = issuable ? `Closes #${issuable.iid}` : ''
  return {
    title: titleOf({ commit, issuable, branch: branch.name }),
    description: [bodyOf(commit), closing].filter((text) => text !== '').join('\n\n'),
    isDraft: commits.length === 0,
    labels: issuable ? await listLabelTitles(db, issuable.id) : [],
    milestone_id: issuable?.milestone_id ?? null,
  }
}

function titleOf({
  commit,
  issuable,
  branch,
}: {
  commit: Commit | undefined
  issuable: Issuable | undefined
  branch: string
}): string {
  const title = commit?.message.split('\n', 1)[0]?.trim()
  if (title) return title.slice(0, limits.name_characters)
  if (issuable) return `Resolve "${issuable.title}"`.slice(0, limits.name_characters)
  const words = branch.replaceAll(/[-_/]+/g, ' ').trim()
  return `${words.charAt(0).toUpperCase()}${words.slice(1).toLowerCase()}`
}

function bodyOf(commit: Commit | undefined): string {
  const message = commit?.message ?? ''
  const end = message.indexOf('\n')
  return end < 0 ? '' : message.slice(end + 1).trim()
}
