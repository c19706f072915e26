// Public functions of pipelines: the newest one of a commit, and pipelines inside of other records.

import type { Selectable } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Actor } from '../access/actor.ts'
import { Level } from '../access/level.ts'
import type { Rule } from '../access/rule.ts'
import { defineRowLoader } from '../db/compiled-query.ts'
import type { Db, PipelineTable } from '../db/db.ts'
import { namedObject, oneOf } from '../http/schema.ts'
import { ciStatuses } from '../kernel/ci-status.ts'
import { isUnarchived, mayDownloadCode, type Project, projectUrl } from './project.ts'

export type Pipeline = Selectable<PipelineTable>

/**
 * Pipelines can be read by Reporters and above; in a project that is not private and has public jobs, by everyone who
 * reads its code (docs/api/ci.md, "Who reads pipelines").
 */
export const mayReadPipelines: Rule<Project> = (facts) => {
  const { subject, level } = facts
  if (subject.builds_access_level === 'disabled' || !mayDownloadCode(facts)) return false
  if (level >= Level.reporter) return true
  const isOpen = subject.builds_access_level === 'enabled' || level >= Level.guest
  return isOpen && subject.public_jobs && subject.visibility !== 'private'
}

/** Developers and above may start pipelines. Whether they may for the given ref is checked separately. */
export const mayCreatePipelines: Rule<Project> = ({ subject, level }) =>
  subject.builds_access_level !== 'disabled' && level >= Level.developer && isUnarchived(subject)

/** Returns the newest pipeline of a commit; undefined if there is none or the caller may not read it. */
export async function findNewestReadablePipeline(
  { db, actor, level }: { db: Db; actor: Actor; level: number },
  { project, sha }: { project: Project; sha: string },
): Promise<Pipeline | undefined> {
  if (!mayReadPipelines({ subject: project, level, actor })) return undefined
  return newestOfCommit(db, { project_id: project.id, sha })
}

/** Returns the newest pipelines of several commits, by commit, that the caller may read. Runs one query. */
export async function findNewestReadablePipelines(
  { db, actor, level }: { db: Db; actor: Actor; level: number },
  { project, shas }: { project: Project; shas: readonly string[] },
): Promise<Map<string, Pipeline>> {
  if (shas.length === 0 || !mayReadPipelines({ subject: project, level, actor })) return new Map()
  const newest = db
    .selectFrom('pipelines')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('project_id', '=', project.id)
    .where('sha', 'in', shas)
    .where('parent_id', 'is', null)
    .groupBy('sha')
  const rows = await db.selectFrom('pipelines').selectAll().where('id', 'in', newest).execute()
  return new Map(rows.map((pipeline) => [pipeline.sha, pipeline]))
}

const newestOfCommit = defineRowLoader(
  (db, { project_id, sha }: { project_id: number; sha: string }) =>
    newestPipeline(db, { project_id, sha }),
)

type PipelineOf = { project_id: number; sha: string; ref?: string; id?: number }

function newestPipeline(db: Db, { project_id, sha, ref, id }: PipelineOf) {
  return (
    db
      .selectFrom('pipelines')
      .selectAll()
      .where('project_id', '=', project_id)
      .where('sha', '=', sha)
      // Children are part of their parents.
      .where('parent_id', 'is', null)
      .$if(ref !== undefined, (query) => query.where('ref', '=', ref ?? ''))
      .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
      .orderBy('id', 'desc')
      .limit(1)
  )
}

/** Returns the newest pipeline of a commit, for one reference or for all, or the one with an id if it belongs to those. */
export function findNewestPipeline(db: Db, of: PipelineOf): Promise<Pipeline | undefined> {
  return newestPipeline(db, of).executeTakeFirst()
}

export const BasicPipelineJson = namedObject('BasicPipeline', {
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  sha: Type.String(),
  ref: Type.String(),
  status: oneOf(ciStatuses),
  source: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  web_url: Type.String(),
})

export function presentBasicPipeline(
  pipeline: Pipeline,
  project: Project,
  baseUrl: string,
): Static<typeof BasicPipelineJson> {
  return {
    id: pipeline.id,
    iid: pipeline.iid,
    project_id: pipeline.project_id,
    sha: pipeline.sha,
    ref: pipeline.ref,
    status: pipeline.status,
    source: pipeline.source,
    created_at: pipeline.created_at,
    updated_at: pipeline.updated_at,
    web_url: `${projectUrl(baseUrl, project)}/-/pipelines/${pipeline.id}`,
  }
}
