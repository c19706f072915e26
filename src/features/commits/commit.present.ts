import { type Static, Type } from 'typebox'
import type { DiffStat } from '../../git/diff-stat.ts'
import type { Commit } from '../../git/objects.ts'
import { nullable, oneOf } from '../../http/schema.ts'
import { type Project, projectUrl } from '../projects/project.ts'
import { CommitJson, presentCommit } from './commit.ts'

export const StatsJson = Type.Object({
  additions: Type.Integer(),
  deletions: Type.Integer(),
  total: Type.Integer(),
})

export const ListedCommitJson = Type.Object({
  ...CommitJson.properties,
  stats: Type.Optional(StatsJson),
})

export const CommitDetailJson = Type.Object({
  ...CommitJson.properties,
  stats: Type.Optional(StatsJson),
  status: nullable(Type.String()),
  project_id: Type.Integer(),
  last_pipeline: Type.Null(),
})

export const CommitRefJson = Type.Object({ type: oneOf(['branch', 'tag']), name: Type.String() })

/** The single view of a commit; without `stats` it has no such key. */
export function presentCommitDetail(
  commit: Commit,
  { project, stats, baseUrl }: { project: Project; stats: DiffStat | undefined; baseUrl: string },
): Static<typeof CommitDetailJson> {
  return {
    ...presentCommit(commit, projectUrl(baseUrl, project)),
    ...(stats ? { stats } : {}),
    status: null,
    project_id: project.id,
    last_pipeline: null,
  }
}
