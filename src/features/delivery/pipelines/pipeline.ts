// Public functions of pipelines: their numbers, lookups, and the settings of their project.
import type { Selectable } from 'kysely'
import { defineListLoader, defineRowLoader } from '../../../db/compiled-query.ts'
import type { Db, PipelineVariableTable } from '../../../db/db.ts'
import { findNewestPipeline, type Pipeline } from '../../../subjects/pipeline.ts'
import { nextInternalId } from '../../basics/internal-ids/internal-id.ts'

/**
 * Returns the newest pipeline of a commit and ref for external statuses, and creates one if there is none; of several
 * concurrent requests only one creates it.
 */
export async function ensurePipelineForCommitStatus(
  tx: Db,
  wanted: Pick<Pipeline, 'project_id' | 'sha' | 'ref' | 'tag' | 'user_id' | 'committed_at'> & {
    now: string
  },
): Promise<Pipeline> {
  const { now, ...fields } = wanted
  const found = await findNewestPipeline(tx, wanted)
  if (found) return found
  const iid = await nextInternalId(tx, wanted.project_id, 'pipelines')
  // While this transaction waited for the number, another one may have created the pipeline.
  const meanwhile = await findNewestPipeline(tx, wanted)
  if (meanwhile) return meanwhile
  return tx
    .insertInto('pipelines')
    .values({ ...fields, iid, source: 'external', created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export type CiSettings = Awaited<ReturnType<typeof getCiSettings>>

const ciSettings = defineRowLoader((db, { project_id }: { project_id: number }) =>
  db
    .selectFrom('projects')
    .select([
      'ci_config_path',
      'ci_default_git_depth',
      'build_git_strategy',
      'build_timeout',
      'build_coverage_regex',
      'auto_cancel_pending_pipelines',
      'restrict_user_defined_variables',
      'keep_latest_artifact',
      'shared_runners_enabled',
      'ci_job_token_scope_enabled',
      'ci_forward_deployment_enabled',
    ])
    .where('id', '=', project_id),
)

/** Returns the CI/CD settings of a project. Throws if the project is missing. */
export async function getCiSettings(db: Db, project_id: number) {
  const settings = await ciSettings(db, { project_id })
  if (!settings)
    throw new Error(`Project ${project_id} was deleted while its CI settings were read.`)
  return settings
}

const pipelineById = defineRowLoader((db, { id }: { id: number }) =>
  db.selectFrom('pipelines').selectAll().where('id', '=', id),
)

export function findPipeline(db: Db, id: number): Promise<Pipeline | undefined> {
  return pipelineById(db, { id })
}

export function getPipeline(db: Db, id: number): Promise<Pipeline> {
  return db.selectFrom('pipelines').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

const pipelineVariables = defineListLoader((db, { pipeline_id }: { pipeline_id: number }) =>
  db
    .selectFrom('pipeline_variables')
    .selectAll()
    .where('pipeline_id', '=', pipeline_id)
    .orderBy('key'),
)

/** Returns the variables that a pipeline was started with, encrypted, sorted by key. */
export function listPipelineVariables(
  db: Db,
  pipeline_id: number,
): Promise<readonly Readonly<Selectable<PipelineVariableTable>>[]> {
  return pipelineVariables(db, { pipeline_id })
}

/** Returns the pipeline of the project with that id. */
export function findProjectPipeline(
  db: Db,
  { project_id, id }: { project_id: number; id: number },
): Promise<Pipeline | undefined> {
  return db
    .selectFrom('pipelines')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', project_id)
    .executeTakeFirst()
}

/** Unlocks the artifacts of all pipelines of a branch or tag, or of those before one. */
export async function unlockArtifactsOfPipelines(
  db: Db,
  {
    project_id,
    ref,
    tag,
    before_id,
  }: { project_id: number; ref: string; tag: boolean; before_id?: number },
): Promise<void> {
  await db
    .updateTable('pipelines')
    .set({ locked: false })
    .where('project_id', '=', project_id)
    .where('ref', '=', ref)
    .where('tag', '=', tag)
    .where('locked', '=', true)
    .$if(before_id !== undefined, (query) => query.where('id', '<', before_id ?? 0))
    .execute()
}
