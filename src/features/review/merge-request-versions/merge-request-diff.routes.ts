import { type Static, Type } from 'typebox'
import type { FileDiff } from '../../../git/diff.ts'
import { enforceReadRate } from '../../../git/least-rate.ts'
import type { Oid } from '../../../git/names.ts'
import type { PagedDiffFile } from '../../../git/paged-diff.ts'
import { openRawDiff } from '../../../git/raw-diff.ts'
import type { Repository } from '../../../git/repository.ts'
import { Answer } from '../../../http/answer.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  namedObject,
  nullableText,
  optionalBoolean,
  pageInput,
  plainTextBody,
} from '../../../http/schema.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  type IssuableSubject,
  mayReadIssuable,
  mergeRequestLoader,
} from '../../../subjects/issuable.ts'
import { projectRepository, projectUrl } from '../../../subjects/project.ts'
import { BasicIssueJson, showBasicIssues } from '../../planning/issues/show-issues.ts'
import { CommitJson, presentCommit } from '../../repository/commits/commit.ts'
import { readAllFiles } from '../../repository/diffs/all-files.ts'
import { DiffJson, presentDiff } from '../../repository/diffs/diff.ts'
import {
  diffInput,
  isDiffPageRequested,
  PagedDiffJson,
  readDiffPage,
} from '../../repository/diffs/diff-page.ts'
import {
  findMergeRequestVersion,
  findNewestVersion,
  getRequestWithProjects,
  type MergeRequestVersion,
  readBranchTips,
} from '../merge-requests/merge-request.ts'
import {
  listCommitsOfRequest,
  syncMergeRequestWithBranches,
} from '../merge-requests/refresh-request.ts'
import {
  formatFilesCount,
  MergeRequestJson,
  showMergeRequest,
} from '../merge-requests/show-request.ts'
import {
  listMergeRequestVersions,
  listVisibleClosingIssues,
} from './merge-request-version.store.ts'

const endpoint = endpointFactory({ tag: 'Merge requests', on: mergeRequestLoader })
const base = '/projects/:id/merge_requests/:merge_request_iid'

const FileJson = namedObject('ComparedFile', {
  ...DiffJson.properties,
  generated_file: Type.Boolean(),
  collapsed: Type.Boolean(),
  too_large: Type.Boolean(),
})

const VersionJson = namedObject('MergeRequestVersion', {
  id: Type.Integer(),
  head_commit_sha: Type.String(),
  base_commit_sha: nullableText,
  start_commit_sha: Type.String(),
  created_at: Type.String(),
  merge_request_id: Type.Integer(),
  state: Type.String(),
  real_size: Type.String(),
  patch_id_sha: nullableText,
})

function presentVersion(version: MergeRequestVersion): Static<typeof VersionJson> {
  return {
    id: version.id,
    head_commit_sha: version.head_sha,
    base_commit_sha: version.base_sha,
    start_commit_sha: version.start_sha,
    created_at: version.created_at,
    merge_request_id: version.issuable_id,
    state: version.state,
    real_size: formatFilesCount(version),
    patch_id_sha: null,
  }
}

function presentFile(file: FileDiff): Static<typeof FileJson> {
  const isShort = file.patch === '' && file.oldMode === file.newMode && !file.isRenamed
  return { ...presentDiff(file), generated_file: false, collapsed: false, too_large: isShort }
}

type RequestContext = Context<IssuableSubject, unknown>

/**
 * Returns the newest version and the repository of its commits. Creates the version first if the source
 * branch has moved.
 */
async function newest(
  context: RequestContext,
): Promise<{ repository: Repository; version: MergeRequestVersion | undefined }> {
  const known = await getRequestWithProjects(context)
  const { sourceTip } = readBranchTips(context.config, known)
  const isMoved = sourceTip !== undefined && sourceTip !== known.request.head_sha
  const { request, target } =
    (isMoved &&
      (await syncMergeRequestWithBranches(context, known.issuable.id, { isChecked: false }))) ||
    known
  const version = await findNewestVersion(context.db, request)
  return { repository: projectRepository(context.config, target), version }
}

/** Returns the changed files of a version; none for a version without commits. */
async function filesOf(
  { git }: RequestContext,
  repository: Repository,
  version: MergeRequestVersion | undefined,
): Promise<{ files: FileDiff[]; isCut: boolean }> {
  const span = spanOf(version)
  return span ? git.diffs.diff(repository, span) : { files: [], isCut: false }
}

/** Returns the two commits that a version compares; undefined if it has none. */
function spanOf(
  version: MergeRequestVersion | undefined,
): { from: Oid | undefined; to: Oid } | undefined {
  if (!version || version.commits_count === 0) return undefined
  const from = (version.base_sha ?? undefined) as Oid | undefined
  return { from, to: version.head_sha as Oid }
}

async function commitsOf(
  { git, baseUrl, subject }: RequestContext,
  repository: Repository,
  version: MergeRequestVersion | undefined,
  range: { offset: number; per_page: number },
) {
  if (!version) return []
  const span = { head: version.head_sha as Oid, start: version.start_sha as Oid }
  const oids = await listCommitsOfRequest(git, repository, span)
  const page = oids.slice(range.offset, range.offset + range.per_page)
  const commits = await git.objects.commits(repository, page)
  return commits.map((commit) => presentCommit(commit, projectUrl(baseUrl, subject)))
}

/** Returns whether a bounded diff lacks a file or the patch of a file. */
async function isLeftOut(
  { git }: RequestContext,
  repository: Repository,
  {
    version,
    diff,
  }: { version: MergeRequestVersion | undefined; diff: { files: FileDiff[]; isCut: boolean } },
): Promise<boolean> {
  const span = spanOf(version)
  const { files, isCut } = diff
  if (!span || (!isCut && files.every(({ patch }) => patch !== ''))) return false
  const all = await git.pagedDiffs.list(repository, { ...span, ignoresSpace: false })
  if (all.isCut || all.files.length > files.length) return true
  return all.files.some(({ hasPatch }, at) => hasPatch && files[at]?.patch === '')
}

/** Answers with the record and all files. The files are read from git while the response is sent. */
async function answerAllFiles(
  { git, request }: RequestContext,
  shown: object,
  repository: Repository,
  version: MergeRequestVersion | undefined,
) {
  const found = spanOf(version)
  if (!found) return { ...shown, changes: [], overflow: false }
  const span = { ...found, ignoresSpace: false }
  const { isCut } = await git.pagedDiffs.list(repository, span)
  const headers = { 'content-type': 'application/json' }
  if (request.method === 'HEAD') return Answer.raw(undefined, headers)
  const pages = readAllFiles(git, repository, span)
  return Answer.raw(enforceReadRate(writeAll(shown, pages, isCut), limits.least_rate), headers)
}

async function* writeAll(
  shown: object,
  pages: AsyncIterable<PagedDiffFile[]>,
  isCut: boolean,
): AsyncGenerator<Buffer> {
  let overflow = isCut
  let before = `${JSON.stringify(shown).slice(0, -1)},"changes":[`
  for await (const files of pages) {
    overflow ||= files.some(({ leftOut }) => leftOut !== undefined)
    yield Buffer.from(before + files.map((file) => JSON.stringify(presentPaged(file))).join(','))
    before = ','
  }
  const end = before === ',' ? '' : before
  yield Buffer.from(`${end}],"overflow":${overflow}}`)
}

function presentPaged(file: PagedDiffFile): Static<typeof FileJson> {
  const too_large = file.leftOut !== undefined
  return { ...presentDiff(file), generated_file: false, collapsed: false, too_large }
}

const versionCommits_max = 1000

export const mergeRequestDiffEndpoints = [
  endpoint({
    route: `GET ${base}/commits`,
    summary: 'List the commits of a merge request, newest first',
    allow: mayReadIssuable,
    input: Type.Object(pageInput),
    answer: Type.Array(CommitJson),
    async run(context) {
      const { repository, version } = await newest(context)
      const items = await commitsOf(context, repository, version, context.range)
      return new Page({ items, total: version?.commits_count ?? 0 })
    },
  }),

  endpoint({
    route: `GET ${base}/changes`,
    summary: 'Get a merge request with the files it changes',
    allow: mayReadIssuable,
    input: Type.Object({
      access_raw_diffs: optionalBoolean,
      unidiff: optionalBoolean,
    }),
    answer: Type.Object({
      ...MergeRequestJson.properties,
      changes: Type.Array(FileJson),
      overflow: Type.Boolean(),
    }),
    async run(context) {
      const { subject, input } = context
      const shown = await showMergeRequest(context, subject, subject.issuable, { isFresh: true })
      const { repository, version } = await newest(context)
      if (input.access_raw_diffs === true)
        return answerAllFiles(context, shown, repository, version)
      const diff = await filesOf(context, repository, version)
      const overflow = await isLeftOut(context, repository, { version, diff })
      return { ...shown, changes: diff.files.map(presentFile), overflow }
    },
  }),

  endpoint({
    route: `GET ${base}/diffs`,
    summary: 'List the files a merge request changes',
    allow: mayReadIssuable,
    input: Type.Object({ ...pageInput, ...diffInput, unidiff: optionalBoolean }),
    answer: Type.Array(Type.Union([FileJson, PagedDiffJson])),
    async run(context) {
      const { git, input, range } = context
      const { repository, version } = await newest(context)
      const span = spanOf(version)
      if (span && isDiffPageRequested(input)) {
        return readDiffPage(git, repository, { ...span, input, range })
      }
      const { files } = await filesOf(context, repository, version)
      const { offset, per_page } = context.range
      const items = files.slice(offset, offset + per_page).map(presentFile)
      return new Page({ items, total: files.length })
    },
  }),

  endpoint({
    route: `GET ${base}/raw_diffs`,
    summary: 'Get the raw diff of a merge request',
    allow: mayReadIssuable,
    answer: plainTextBody(),
    async run(context) {
      const { repository, version } = await newest(context)
      const headers = { 'content-type': 'text/plain; charset=utf-8' }
      const span = spanOf(version)
      if (!span) return Answer.raw(Buffer.alloc(0), headers)
      return Answer.raw(await openRawDiff(context.git.git, repository, span), headers)
    },
  }),

  endpoint({
    route: `GET ${base}/versions`,
    summary: 'List the versions of a merge request, newest first',
    signIn: 'always',
    allow: mayReadIssuable,
    input: Type.Object(pageInput),
    answer: Type.Array(VersionJson),
    async run({ db, subject, range }) {
      const { rows, total } = await listMergeRequestVersions(db, subject.issuable.id, range)
      return new Page({ items: rows.map(presentVersion), total })
    },
  }),

  endpoint({
    route: `GET ${base}/versions/:version_id`,
    summary: 'Get a version of a merge request with its commits and files',
    signIn: 'always',
    allow: mayReadIssuable,
    input: Type.Object({ version_id: Type.Integer(), unidiff: optionalBoolean }),
    answer: Type.Object({
      ...VersionJson.properties,
      commits: Type.Array(CommitJson),
      diffs: Type.Array(FileJson),
    }),
    async run(context) {
      const { db, subject, input } = context
      const version = await findMergeRequestVersion(db, input.version_id)
      if (version?.issuable_id !== subject.issuable.id) throw recordNotFound()
      const { repository } = await newest(context)
      const range = { offset: 0, per_page: versionCommits_max }
      const hasFiles = version.state !== 'without_files'
      const { files } = await filesOf(context, repository, hasFiles ? version : undefined)
      return {
        ...presentVersion(version),
        commits: await commitsOf(context, repository, version, range),
        diffs: files.map(presentFile),
      }
    },
  }),

  endpoint({
    route: `GET ${base}/closes_issues`,
    summary: 'List the issues that a merge request closes',
    allow: mayReadIssuable,
    input: Type.Object(pageInput),
    answer: Type.Array(BasicIssueJson),
    async run(context) {
      const { db, subject, actor, range } = context
      const { rows, total } = await listVisibleClosingIssues(db, subject.issuable.id, {
        actor,
        range,
      })
      const within = subject.full_path
      return new Page({ items: await showBasicIssues(context, rows, { within }), total })
    },
  }),
]
