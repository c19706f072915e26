import { Type } from 'typebox'
import { resolveCommit } from '../../../git/refs.ts'
import { endpointsWith } from '../../../http/endpoint.ts'
import { nullable } from '../../../http/schema.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { aProject, downloadCode, projectRepository, projectUrl } from '../../../subjects/project.ts'
import { CommitJson, presentCommit } from '../commits/commit.ts'
import { DiffJson, presentDiff } from '../commits/diff.ts'
import { compare } from './comparison.ts'

const endpoint = endpointsWith({ tag: 'Repositories', on: aProject })

const ComparisonJson = Type.Object({
  commit: nullable(CommitJson),
  commits: Type.Array(CommitJson),
  diffs: Type.Array(DiffJson),
  compare_timeout: Type.Boolean(),
  compare_same_ref: Type.Boolean(),
  web_url: Type.String(),
})

export const comparisonEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/compare',
    summary: 'Compare branches, tags or commits',
    allow: downloadCode,
    input: Type.Object({
      from: Type.String(),
      to: Type.String(),
      straight: Type.Optional(Type.Boolean({ default: false })),
    }),
    answer: ComparisonJson,
    async run({ git, config, subject: project, input, baseUrl }) {
      const repository = projectRepository(config, project)
      const [from, to] = await Promise.all(
        [input.from, input.to].map((text) => resolveCommit(git.objects, repository, text)),
      )
      if (!from || !to) throw notFound('Ref')
      const straight = input.straight === true
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
