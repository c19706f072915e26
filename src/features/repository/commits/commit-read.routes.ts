import { Type } from 'typebox'
import { isOid } from '../../../git/names.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { dateTime, oneOf, optionalBoolean, optionalText, pageInput } from '../../../http/schema.ts'
import { findNewestReadablePipeline } from '../../../subjects/pipeline.ts'
import {
  mayDownloadCode,
  projectLoader,
  projectRepository,
  projectUrl,
} from '../../../subjects/project.ts'
import { DiffJson, presentDiff } from '../diffs/diff.ts'
import { diffInput, isDiffPageRequested, PagedDiffJson, readDiffPage } from '../diffs/diff-page.ts'
import {
  CommitDetailJson,
  CommitRefJson,
  ListedCommitJson,
  presentCommitDetail,
} from './commit.present.ts'
import { presentCommit } from './commit.ts'
import { countReachableCommits } from './count-reachable-commits.ts'
import { commitShaInput, getCommit } from './find-commit.ts'
import { listCommits } from './list-commits.ts'

const tag = 'Commits'
const endpoint = endpointFactory({ tag, on: projectLoader })

/** Returns one page of a list that is in memory. */
function slice<T>(items: readonly T[], { offset, per_page }: { offset: number; per_page: number }) {
  return { items: items.slice(offset, offset + per_page), total: items.length }
}

export const commitReadEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/commits',
    summary: 'List commits',
    allow: mayDownloadCode,
    input: Type.Object({
      ref_name: optionalText,
      since: Type.Optional(dateTime()),
      until: Type.Optional(dateTime()),
      path: optionalText,
      author: optionalText,
      search: Type.Optional(Type.String({ description: 'A text in the message, in any case.' })),
      all: optionalBoolean,
      with_stats: optionalBoolean,
      first_parent: optionalBoolean,
      order: Type.Optional(oneOf(['default', 'topo'], { default: 'default' })),
      trailers: Type.Optional(Type.Boolean({ default: false })),
      ...pageInput,
    }),
    answer: Type.Array(ListedCommitJson),
    async run(context) {
      const { subject: project, input, git, config, baseUrl } = context
      const repository = projectRepository(config, project)
      const { range } = context
      const commits = await listCommits(git, repository, input, range)
      const stats = input.with_stats ? await git.stats.of(repository, commits) : undefined
      const url = projectUrl(baseUrl, project)
      const items = commits.map((commit) => {
        const shown = presentCommit(commit, url, { withTrailers: input.trailers })
        return stats ? { ...shown, stats: stats.get(commit.oid) } : shown
      })
      return new Page({ items, total: undefined })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/commits/:sha',
    summary: 'Get a commit',
    allow: mayDownloadCode,
    input: Type.Object({
      ...commitShaInput,
      stats: Type.Optional(Type.Boolean({ default: true })),
    }),
    answer: CommitDetailJson,
    async run(context) {
      const { subject: project, input, git, config, baseUrl } = context
      const repository = projectRepository(config, project)
      const commit = await getCommit(git, repository, input.sha)
      const stats = input.stats
        ? (await git.stats.of(repository, [commit])).get(commit.oid)
        : undefined
      const lastPipeline = await findNewestReadablePipeline(context, { project, sha: commit.oid })
      return presentCommitDetail(commit, { project, stats, lastPipeline, baseUrl })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/commits/:sha/sequence',
    summary: 'Count the ancestors of a commit',
    allow: mayDownloadCode,
    isFixed: ({ sha }) => isOid(sha),
    input: Type.Object(commitShaInput),
    answer: Type.Object({ count: Type.Integer() }),
    async run(context) {
      const { subject: project, input, git, config } = context
      const repository = projectRepository(config, project)
      const { oid } = await getCommit(git, repository, input.sha)
      return countReachableCommits(git, repository, oid)
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/commits/:sha/refs',
    summary: 'List the branches and tags that contain a commit',
    allow: mayDownloadCode,
    input: Type.Object({
      ...commitShaInput,
      type: Type.Optional(oneOf(['branch', 'tag', 'all'], { default: 'all' })),
      ...pageInput,
    }),
    answer: Type.Array(CommitRefJson),
    async run(context) {
      const { subject: project, input, git, config } = context
      const repository = projectRepository(config, project)
      const commit = await getCommit(git, repository, input.sha)
      const { branches, tags } = await git.containing.of(repository, commit.oid)
      const refs = [
        ...branches.map((name) => ({ type: 'branch', name })),
        ...tags.map((name) => ({ type: 'tag', name })),
      ].filter(({ type }) => input.type === 'all' || input.type === type)
      const { range } = context
      return new Page(slice(refs, range))
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/commits/:sha/diff',
    summary: 'Get the diff of a commit',
    allow: mayDownloadCode,
    isFixed: ({ sha }) => isOid(sha),
    input: Type.Object({ ...commitShaInput, ...diffInput, ...pageInput }),
    answer: Type.Array(Type.Union([DiffJson, PagedDiffJson])),
    async run(context) {
      const { subject: project, input, git, config } = context
      const repository = projectRepository(config, project)
      const { oid, parents } = await getCommit(git, repository, input.sha)
      const { range } = context
      const span = { from: parents[0], to: oid }
      if (isDiffPageRequested(input))
        return readDiffPage(git, repository, { ...span, input, range })
      const { files } = await git.diffs.diff(repository, span)
      const { items, total } = slice(files, range)
      return new Page({ items: items.map(presentDiff), total })
    },
  }),
]
