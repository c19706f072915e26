import { join } from 'node:path'
import { Type } from 'typebox'
import { canSeeProject } from '../../../access/visibility.ts'
import { pairRepository } from '../../../git/pair.ts'
import { resolveCommit } from '../../../git/refs.ts'
import { type Context, endpointsWith } from '../../../http/endpoint.ts'
import { nullable, optionalInteger, record } from '../../../http/schema.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import {
  aProject,
  areForkRelatives,
  downloadCode,
  findProject,
  type Project,
  projectRepository,
  projectUrl,
} from '../../../subjects/project.ts'
import { CommitJson, presentCommit } from '../commits/commit.ts'
import { DiffJson, presentDiff } from '../commits/diff.ts'
import { compare } from './comparison.ts'

const endpoint = endpointsWith({ tag: 'Repositories', on: aProject })

const ComparisonJson = record('Comparison', {
  commit: nullable(CommitJson),
  commits: Type.Array(CommitJson),
  diffs: Type.Array(DiffJson),
  compare_timeout: Type.Boolean(),
  compare_same_ref: Type.Boolean(),
  web_url: Type.String(),
})

/**
 * The project that `from` belongs to: the subject, or another one of its fork network whose code the caller
 * may read. Throws 400 for any other, and does not tell whether it exists.
 */
async function getFromProject({
  db,
  actor,
  subject: project,
  input: { from_project_id: id = project.id },
}: Context<Project, { from_project_id?: number }>): Promise<Project> {
  if (id === project.id) return project
  const found = await findProject(db, actor, { id })
  const isReadable =
    found &&
    canSeeProject(actor, found) &&
    downloadCode({ subject: found.project, level: found.level, actor }) &&
    areForkRelatives(project, found.project)
  if (isReadable) return found.project
  throw invalid(`Target project id:${id} is not a fork of project id:${project.id}`)
}

export const comparisonEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/compare',
    summary: 'Compare branches, tags or commits',
    allow: downloadCode,
    input: Type.Object({
      from: Type.String(),
      to: Type.String(),
      from_project_id: optionalInteger,
      straight: Type.Optional(Type.Boolean({ default: false })),
    }),
    answer: ComparisonJson,
    async run(context) {
      const { git, config, subject: project, input, baseUrl } = context
      const own = projectRepository(config, project)
      const source = projectRepository(config, await getFromProject(context))
      const [from, to] = await Promise.all([
        resolveCommit(git.objects, source, input.from),
        resolveCommit(git.objects, own, input.to),
      ])
      if (!from || !to) throw notFound('Ref')
      const straight = input.straight === true
      const repository =
        source.path === own.path
          ? own
          : await pairRepository(join(config.data, 'cache', 'pairs'), own, source)
      const comparison = await compare(git, repository, { from, to, straight })
      const url = projectUrl(baseUrl, project)
      const commits = comparison.commits.map((commit) => presentCommit(commit, url))
      return {
        commit: commits.at(-1) ?? null,
        commits,
        diffs: comparison.files.map(presentDiff),
        compare_timeout: comparison.isCut,
        compare_same_ref: from === to,
        web_url: `${url}/-/compare/${comparison.base}...${to}`,
      }
    },
  }),

  endpoint({
    route: 'GET /projects/:id/repository/merge_base',
    summary: 'Get the common ancestor of branches, tags or commits',
    allow: downloadCode,
    input: Type.Object({ refs: Type.Array(Type.String()) }),
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
