import { type Static, Type } from 'typebox'
import type { DiffStat } from '../../../git/diff-stat.ts'
import type { Commit } from '../../../git/objects.ts'
import { namedObject, nullable, oneOf } from '../../../http/schema.ts'
import {
  BasicPipelineJson,
  type Pipeline,
  presentBasicPipeline,
} from '../../../subjects/pipeline.ts'
import { type Project, projectUrl } from '../../../subjects/project.ts'
import { CommitJson, presentCommit } from './commit.ts'

export const CommitStatsJson = namedObject('CommitStats', {
  additions: Type.Integer(),
  deletions: Type.Integer(),
  total: Type.Integer(),
})

export const ListedCommitJson = namedObject('ListedCommit', {
  ...CommitJson.properties,
  stats: Type.Optional(CommitStatsJson),
})

export const CommitDetailJson = namedObject('CommitDetail', {
  ...CommitJson.properties,
  stats: Type.Optional(CommitStatsJson),
  status: nullable(Type.String()),
  project_id: Type.Integer(),
  last_pipeline: nullable(BasicPipelineJson),
})

export const CommitRefJson = namedObject('CommitRef', {
  type: oneOf(['branch', 'tag']),
  name: Type.String(),
})

type CommitView = {
  project: Project
  stats: DiffStat | undefined
  /** The newest pipeline of the commit, if the caller may see it. */
  lastPipeline: Pipeline | undefined
  baseUrl: string
}

/** Presents a single commit. Without `stats` the record has no such key. */
export function presentCommitDetail(
  commit: Commit,
  { project, stats, lastPipeline, baseUrl }: CommitView,
): Static<typeof CommitDetailJson> {
  return {
    ...presentCommit(commit, projectUrl(baseUrl, project)),
    ...(stats ? { stats } : {}),
    status: lastPipeline?.status ?? null,
    project_id: project.id,
    last_pipeline: lastPipeline ? presentBasicPipeline(lastPipeline, project, baseUrl) : null,
  }
}
