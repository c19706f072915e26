import type { Static } from 'typebox'
import type { Db } from '../../../db/db.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import type { Project } from '../../../subjects/project.ts'
import { findUser } from '../../../subjects/user.ts'
import { canPipelineHaveWarnings, PipelineJson, presentPipeline } from './pipeline.present.ts'
import { hasPipelineWarnings } from './pipeline.store.ts'

/** The record of a single pipeline, for other families. */
export const ShownPipelineJson = PipelineJson

export async function showPipeline(
  { db, baseUrl }: { db: Db; baseUrl: string },
  project: Project,
  pipeline: Pipeline,
): Promise<Static<typeof ShownPipelineJson>> {
  const user = pipeline.user_id === null ? undefined : await findUser(db, pipeline.user_id)
  const isWarned = canPipelineHaveWarnings(pipeline) && (await hasPipelineWarnings(db, pipeline.id))
  return presentPipeline(pipeline, { project, user, hasWarnings: isWarned, baseUrl })
}
