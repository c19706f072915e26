// External services that decide whether merge requests may be merged (docs/api/status-checks.md).
import { Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { findViolatedIndex } from '../../../db/dialect.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { atLeastOneOf } from '../../../http/parameters.ts'
import { MessageJson, nonBlankText, oneOf, optionalText, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badRequest, invalid, recordNotFound, unprocessable } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { sealSecret } from '../../../kernel/secrets.ts'
import {
  type IssuableSubject,
  mayReadIssuable,
  mergeRequestLoader,
} from '../../../subjects/issuable.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { isUnarchived, type Project, projectLoader } from '../../../subjects/project.ts'
import { filterBranchProtectionIds } from '../../repository/protected-branches/protect-branch.ts'
import { getRequestWithProjects, staleShaError } from '../../review/merge-requests/merge-request.ts'
import { showMergeRequests } from '../../review/merge-requests/show-requests.ts'
import { parseWebhookUrl } from '../webhooks/webhook-problems.ts'
import {
  MergeRequestStatusCheckJson,
  presentMergeRequestStatusCheck,
  presentStatusCheck,
  StatusCheckJson,
  StatusCheckResponseJson,
  statusCheckStatuses,
} from './status-check.present.ts'
import {
  countStatusChecks,
  deleteStatusCheck,
  findStatusCheck,
  findStatusCheckStatuses,
  insertStatusCheck,
  listStatusChecks,
  listStatusChecksForBranch,
  replaceStatusCheckBranches,
  type StatusCheck,
  updateStatusCheck,
  upsertStatusCheckResponse,
} from './status-check.store.ts'
import { enqueueStatusCheckCalls, readStatusCheckAddressPolicy } from './status-check.tasks.ts'

const common = { tag: 'Status checks', tier: 'ultimate', signIn: 'always' } as const
const inProject = endpointFactory({ ...common, on: projectLoader })
const onRequest = endpointFactory({ ...common, on: mergeRequestLoader })
const base = '/projects/:id/external_status_checks'
const requestBase = '/projects/:id/merge_requests/:merge_request_iid'

const manageChecks: Rule<Project> = ({ level }) => level >= Level.maintainer
const writeChecks: Rule<Project> = (facts) => manageChecks(facts) && isUnarchived(facts.subject)
const readRequestChecks: Rule<IssuableSubject> = (facts) =>
  mayReadIssuable(facts) && facts.level >= Level.reporter
const answerChecks: Rule<IssuableSubject> = (facts) =>
  mayReadIssuable(facts) && facts.level >= Level.developer && isUnarchived(facts.subject)

const checkInput = {
  shared_secret: optionalText,
  protected_branch_ids: Type.Optional(Type.Array(Type.Integer())),
}
type Given = {
  name?: string
  external_url?: string
  shared_secret?: string
  protected_branch_ids?: number[]
}

/** Returns the columns of the input. Throws if the name, URL or a branch is invalid. */
async function columnsOf({ db, secretKey }: Context<Project, unknown>, given: Given) {
  const { name, external_url, shared_secret } = given
  if (name !== undefined && name.length > limits.title_characters) {
    throw invalid({ name: [`is too long (maximum is ${limits.title_characters} characters)`] })
  }
  const address =
    external_url && parseWebhookUrl(external_url, await readStatusCheckAddressPolicy(db))
  if (address && address.credentials !== undefined) {
    throw invalid({ external_url: ['must not have a user name or password'] })
  }
  return {
    ...(name !== undefined && { name }),
    ...(address && { external_url: address.url }),
    ...(shared_secret !== undefined && {
      shared_secret: shared_secret === '' ? null : sealSecret(secretKey, shared_secret),
    }),
  }
}

async function checkBranches(
  { db, subject }: Context<Project, unknown>,
  ids: readonly number[] | undefined,
): Promise<number[] | undefined> {
  if (ids === undefined) return undefined
  const given = [...new Set(ids)]
  const found = await filterBranchProtectionIds(db, subject.id, given)
  if (found.length < given.length) {
    throw invalid({ protected_branches: ['all must exist within the project'] })
  }
  return found
}

/** Runs the write. Throws 400 if another check of the project has the name. */
async function unlessTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (findViolatedIndex(error) === undefined) throw error
    throw invalid({ name: ['has already been taken'] })
  }
}

async function getCheck(
  { db }: Pick<Context<unknown, unknown>, 'db'>,
  by: { project_id: number; id: number },
): Promise<StatusCheck> {
  const check = await findStatusCheck(db, by)
  if (!check) throw recordNotFound()
  return check
}

const ofPath = ({ subject, input }: Context<Project, { check_id: number }>) => ({
  project_id: subject.id,
  id: input.check_id,
})

/** Returns a check and its status at the head. Throws 404 for one that does not apply to the merge request. */
async function getRequestCheck(context: Context<IssuableSubject, unknown>, id: number) {
  const { db, subject } = context
  const { request } = await getRequestWithProjects(context)
  const { target_branch, head_sha: sha } = request
  const limit = limits.status_checks_max
  const checks = await listStatusChecksForBranch(db, {
    project_id: subject.id,
    target_branch,
    limit,
  })
  const check = checks.find((one) => one.id === id)
  if (!check) throw recordNotFound()
  const statuses = await findStatusCheckStatuses(db, { issuable_id: subject.issuable.id, sha })
  return { check, sha, status: statuses.get(id) ?? 'pending' }
}

export const statusCheckEndpoints = [
  inProject({
    route: `GET ${base}`,
    summary: 'List the external status checks of a project',
    allow: manageChecks,
    input: Type.Object(pageInput),
    answer: Type.Array(StatusCheckJson),
    async run({ db, subject, range }) {
      const { rows, total } = await listStatusChecks(db, subject.id, range)
      return new Page({ items: rows.map(presentStatusCheck), total })
    },
  }),

  inProject({
    route: `POST ${base}`,
    summary: 'Add an external status check to a project',
    allow: writeChecks,
    input: Type.Object({ name: nonBlankText(), external_url: nonBlankText(), ...checkInput }),
    status: 201,
    answer: StatusCheckJson,
    async run(context) {
      const { db, clock, subject, input } = context
      const columns = await columnsOf(context, input)
      const branches = await checkBranches(context, input.protected_branch_ids)
      await lockOwner(db, { kind: 'project', id: subject.id })
      if ((await countStatusChecks(db, subject.id)) >= limits.status_checks_max) {
        throw badRequest(`A project has at most ${limits.status_checks_max} status checks`)
      }
      const { name, external_url } = input
      const row = { name, external_url, ...columns, project_id: subject.id }
      const created_at = timestamp(clock)
      const id = await unlessTaken(insertStatusCheck(db, { ...row, created_at }))
      await replaceStatusCheckBranches(db, id, branches ?? [])
      return presentStatusCheck(await getCheck(context, { project_id: subject.id, id }))
    },
  }),

  inProject({
    route: `PUT ${base}/:check_id`,
    summary: 'Change an external status check of a project',
    allow: writeChecks,
    input: Type.Object({
      check_id: Type.Integer(),
      name: Type.Optional(nonBlankText()),
      external_url: Type.Optional(nonBlankText()),
      ...checkInput,
    }),
    rules: [atLeastOneOf('name', 'external_url', 'shared_secret', 'protected_branch_ids')],
    answer: StatusCheckJson,
    async run(context) {
      const { db, input } = context
      const { id } = await getCheck(context, ofPath(context))
      const columns = await columnsOf(context, input)
      const branches = await checkBranches(context, input.protected_branch_ids)
      await unlessTaken(updateStatusCheck(db, id, columns))
      if (branches) await replaceStatusCheckBranches(db, id, branches)
      return presentStatusCheck(await getCheck(context, ofPath(context)))
    },
  }),

  inProject({
    route: `DELETE ${base}/:check_id`,
    summary: 'Delete an external status check of a project',
    allow: writeChecks,
    input: Type.Object({ check_id: Type.Integer() }),
    status: 204,
    async run(context) {
      await deleteStatusCheck(context.db, (await getCheck(context, ofPath(context))).id)
    },
  }),

  onRequest({
    route: `GET ${requestBase}/status_checks`,
    summary: 'List the external status checks of a merge request',
    allow: readRequestChecks,
    input: Type.Object(pageInput),
    answer: Type.Array(MergeRequestStatusCheckJson),
    async run(context) {
      const { db, subject, range } = context
      const { request } = await getRequestWithProjects(context)
      const { target_branch, head_sha: sha } = request
      const limit = limits.status_checks_max
      const checks = await listStatusChecksForBranch(db, {
        project_id: subject.id,
        target_branch,
        limit,
      })
      const statuses = await findStatusCheckStatuses(db, { issuable_id: subject.issuable.id, sha })
      const page = checks.slice(range.offset, range.offset + range.per_page)
      return new Page({
        items: page.map((check) => presentMergeRequestStatusCheck(check, statuses.get(check.id))),
        total: checks.length,
      })
    },
  }),

  onRequest({
    route: `POST ${requestBase}/status_check_responses`,
    summary: 'Set the result of an external status check',
    allow: answerChecks,
    input: Type.Object({
      sha: Type.String(),
      external_status_check_id: Type.Integer(),
      status: Type.Optional(oneOf(statusCheckStatuses, { default: 'passed' })),
    }),
    status: 201,
    answer: StatusCheckResponseJson,
    async run(context) {
      const { db, clock, subject, input } = context
      const { check, sha } = await getRequestCheck(context, input.external_status_check_id)
      if (sha === null || input.sha !== sha) throw staleShaError(sha)
      const id = await upsertStatusCheckResponse(db, {
        status_check_id: check.id,
        issuable_id: subject.issuable.id,
        sha,
        status: input.status ?? 'passed',
        created_at: timestamp(clock),
      })
      const within = subject.full_path
      const [merge_request] = await showMergeRequests(context, [subject.issuable], { within })
      return { id, merge_request, external_status_check: presentStatusCheck(check) }
    },
  }),

  onRequest({
    route: `POST ${requestBase}/status_checks/:external_status_check_id/retry`,
    summary: 'Retry a failed external status check',
    allow: answerChecks,
    input: Type.Object({ external_status_check_id: Type.Integer() }),
    status: 202,
    answer: MessageJson,
    async run(context) {
      const { db, clock, user, subject, input } = context
      const { check, sha, status } = await getRequestCheck(context, input.external_status_check_id)
      if (sha === null || status !== 'failed') {
        throw unprocessable('External status check must be failed')
      }
      const issuable_id = subject.issuable.id
      const created_at = timestamp(clock)
      const response = { status_check_id: check.id, issuable_id, sha, created_at }
      await upsertStatusCheckResponse(db, { ...response, status: 'pending' })
      const cause = { issuable_id, action: 'update', user_id: user.id }
      await enqueueStatusCheckCalls({ tx: db, clock }, [check.id], cause)
      return { message: '202 Accepted' }
    },
  }),
]
