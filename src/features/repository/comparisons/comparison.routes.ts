import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { Type } from 'typebox'
import { ensureComparisonRepository } from '../../../git/comparison-repository.ts'
import { isOid, type Oid } from '../../../git/names.ts'
import { resolveCommit } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { Answer } from '../../../http/answer.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { namedObject, nullable, optionalInteger, pageInput } from '../../../http/schema.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  areInSameForkNetwork,
  findVisibleProject,
  mayDownloadCode,
  type Project,
  projectLoader,
  projectRepository,
  projectUrl,
} from '../../../subjects/project.ts'
import { CommitJson, presentCommit } from '../commits/commit.ts'
import { DiffJson, presentDiff } from '../diffs/diff.ts'
import { diffInput, PagedDiffJson, readDiffPage } from '../diffs/diff-page.ts'
import {
  type Comparison,
  commit_batch_size,
  compareCommits,
  findComparisonBase,
} from './comparison.ts'

const endpoint = endpointFactory({ tag: 'Repositories', on: projectLoader })

const ComparisonJson = namedObject('Comparison', {
  commit: nullable(CommitJson),
  commits: Type.Array(CommitJson),
  diffs: Type.Array(DiffJson),
  compare_timeout: Type.Boolean(),
  compare_same_ref: Type.Boolean(),
  web_url: Type.String(),
})

/**
 * Returns the project of `from`: the subject, or another project of its fork network whose code the caller
 * may read. Throws the same 400 for all others, so that it does not reveal whether they exist.
 */
async function getFromProject({
  db,
  actor,
  subject: project,
  input: { from_project_id: id = project.id },
}: Context<Project, { from_project_id?: number }>): Promise<Project> {
  if (id === project.id) return project
  const found = await findVisibleProject(db, actor, { id })
  const isReadable =
    found &&
    mayDownloadCode({ subject: found.project, level: found.level, actor }) &&
    areInSameForkNetwork(project, found.project)
  if (isReadable) return found.project
  throw invalid(`Target project id:${id} is not a fork of project id:${project.id}`)
}

const compareInput = {
  from: Type.String(),
  to: Type.String(),
  from_project_id: optionalInteger,
  straight: Type.Optional(Type.Boolean({ default: false })),
}

type CompareInput = { from: string; to: string; from_project_id?: number; straight?: boolean }

/** Returns the two commits and a repository that contains both. Throws 404 `Ref` if one does not exist. */
async function resolveBoth(
  context: Context<Project, CompareInput>,
): Promise<{ repository: Repository; from: Oid; to: Oid; straight: boolean }> {
  const { git, config, subject: project, input } = context
  const own = projectRepository(config, project)
  const source = projectRepository(config, await getFromProject(context))
  const [from, to] = await Promise.all([
    resolveCommit(git.objects, source, input.from),
    resolveCommit(git.objects, own, input.to),
  ])
  if (!from || !to) throw notFound('Ref')
  const repository =
    source.path === own.path
      ? own
      : await ensureComparisonRepository(join(config.data, 'cache', 'pairs'), own, source)
  return { repository, from, to, straight: input.straight === true }
}

/** Yields the JSON of a long comparison in pieces, so that other requests can run in between. */
async function* writeComparison(
  { commits, files }: Comparison,
  { commit, ...others }: object & { commit: unknown },
  url: string,
): AsyncGenerator<string> {
  yield `{"commit":${JSON.stringify(commit)},"commits":[`
  for (let at = 0; at < commits.length; at += commit_batch_size) {
    const run = commits.slice(at, at + commit_batch_size)
    const texts = run.map((one) => JSON.stringify(presentCommit(one, url)))
    yield `${at === 0 ? '' : ','}${texts.join(',')}`
    await setImmediate()
  }
  yield '],"diffs":['
  for (const [at, file] of files.entries()) {
    yield `${at === 0 ? '' : ','}${JSON.stringify(presentDiff(file))}`
  }
  yield `],${JSON.stringify(others).slice(1)}`
}

export const comparisonEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/compare',
    summary: 'Compare branches, tags or commits',
    allow: mayDownloadCode,
    input: Type.Object(compareInput),
    answer: ComparisonJson,
    async run(context) {
      const { git, subject: project, baseUrl } = context
      const { repository, ...span } = await resolveBoth(context)
      const comparison = await compareCommits(git, repository, span)
      const url = projectUrl(baseUrl, project)
      const last = comparison.commits.at(-1)
      const ends = {
        commit: last ? presentCommit(last, url) : null,
        compare_timeout: comparison.isCut,
        compare_same_ref: span.from === span.to,
        web_url: `${url}/-/compare/${comparison.base}...${span.to}`,
      }
      if (comparison.commits.length > commit_batch_size) {
        const headers = { 'content-type': 'application/json' }
        if (context.request.method === 'HEAD') return Answer.raw(undefined, headers)
        const pieces = Readable.from(writeComparison(comparison, ends, url), { objectMode: false })
        return Answer.raw(pieces, headers)
      }
      return {
        ...ends,
        commits: comparison.commits.map((commit) => presentCommit(commit, url)),
        diffs: comparison.files.map(presentDiff),
      }
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/compare/diffs',
    summary: 'List the changed files of a comparison',
    allow: mayDownloadCode,
    isFixed: ({ from, to }) => isOid(from) && isOid(to),
    input: Type.Object({ ...compareInput, ...diffInput, ...pageInput }),
    answer: Type.Array(PagedDiffJson),
    async run(context) {
      const { git, input, range } = context
      const { repository, ...span } = await resolveBoth(context)
      const from = await findComparisonBase(git, repository, span)
      return readDiffPage(git, repository, { from, to: span.to, input, range })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/merge_base',
    summary: 'Get the common ancestor of branches, tags or commits',
    allow: mayDownloadCode,
    input: Type.Object({
      refs: Type.Array(Type.String(), { maxItems: limits.merge_base_refs_max }),
    }),
    answer: CommitJson,
    async run({ git, config, subject: project, input, baseUrl }) {
      const { refs } = input
      if (refs.length < 2) throw invalid('Provide at least 2 refs')
      const repository = projectRepository(config, project)
      const found = await Promise.all(
        refs.map((ref) => resolveCommit(git.objects, repository, ref)),
      )
      const unknown = refs.filter((_, at) => found[at] === undefined)
      if (unknown.length > 0) {
        const noun = unknown.length === 1 ? 'ref' : 'refs'
        throw invalid(`Could not find ${noun}: ${unknown.join(', ')}`)
      }
      const oids = found.flatMap((oid) => oid ?? [])
      const base = await git.mergeBases.of(repository, oids)
      const commit = base && (await git.objects.commit(repository, base))
      if (!commit) throw notFound('Merge Base')
      return presentCommit(commit, projectUrl(baseUrl, project))
    },
  }),
]
