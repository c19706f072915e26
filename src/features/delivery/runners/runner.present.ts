import { type Static, Type } from 'typebox'
import { namedObject, nullableInteger, nullableText, oneOf } from '../../../http/schema.ts'
import { JobRunnerJson, presentJobRunner } from '../jobs/show-jobs.ts'
import type { listRunnerProjects, Runner } from './runner.store.ts'

export const RunnerJson = JobRunnerJson

const RunnerProjectJson = namedObject('RunnerProject', {
  id: Type.Integer(),
  name: Type.String(),
  name_with_namespace: Type.String(),
  path: Type.String(),
  path_with_namespace: Type.String(),
})

export const RunnerDetailJson = namedObject('RunnerDetail', {
  ...JobRunnerJson.properties,
  tag_list: Type.Array(Type.String()),
  run_untagged: Type.Boolean(),
  locked: Type.Boolean(),
  maximum_timeout: nullableInteger,
  access_level: oneOf(['not_protected', 'ref_protected']),
  maintenance_note: nullableText,
  version: nullableText,
  revision: nullableText,
  platform: nullableText,
  architecture: nullableText,
  contacted_at: nullableText,
  projects: Type.Array(RunnerProjectJson),
  groups: Type.Array(
    Type.Object({ id: Type.Integer(), name: Type.String(), web_url: Type.String() }),
  ),
})

export const presentRunner = presentJobRunner

type RunnerView = {
  projects: Awaited<ReturnType<typeof listRunnerProjects>>
  group: { id: number; name: string; full_path: string } | undefined
  baseUrl: string
  now: string
}

/** Presents a single runner, without its token, which is shown only when it is created. */
export function presentRunnerDetail(
  runner: Runner,
  { projects, group, baseUrl, now }: RunnerView,
): Static<typeof RunnerDetailJson> {
  return {
    ...presentJobRunner(runner, now),
    tag_list: runner.tags,
    run_untagged: runner.run_untagged,
    locked: runner.locked,
    maximum_timeout: runner.maximum_timeout,
    access_level: runner.access_level,
    maintenance_note: runner.maintenance_note,
    version: runner.version,
    revision: runner.revision,
    platform: runner.platform,
    architecture: runner.architecture,
    contacted_at: runner.contacted_at,
    projects: projects.map((project) => ({
      id: project.id,
      name: project.name,
      name_with_namespace: `${project.namespace_full_name} / ${project.name}`,
      path: project.path,
      path_with_namespace: `${project.namespace_full_path}/${project.path}`,
    })),
    groups: group
      ? [{ id: group.id, name: group.name, web_url: `${baseUrl}/groups/${group.full_path}` }]
      : [],
  }
}
