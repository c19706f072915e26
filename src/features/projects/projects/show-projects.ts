import { Type } from 'typebox'
import type { Context } from '../../../http/endpoint.ts'
import { notFound } from '../../../kernel/errors.ts'
import { describeRepository } from './describe-repository.ts'
import {
  isSeen,
  ProjectJson,
  type ProjectView,
  presentProject,
  presentSimpleProject,
  SimpleProjectJson,
} from './project.present.ts'
import { findProjectRecords, type ProjectRecord } from './project.store.ts'

/** The full record, for features that change a project and answer with it. */
export const ShownProjectJson = ProjectJson
export const ShownProjectsJson = Type.Array(Type.Union([ProjectJson, SimpleProjectJson]))

type Viewer = Pick<
  Context<unknown, unknown>,
  'db' | 'git' | 'config' | 'actor' | 'baseUrl' | 'secretKey'
>
type Options = { includesStatistics?: boolean }

/**
 * The JSON of these projects in the order of the ids: the simple record for an anonymous caller or
 * where it is asked for, else the full one. One query, however many there are, and one more where groups are invited.
 */
export async function showProjects(
  viewer: Viewer,
  ids: readonly number[],
  { isSimple = false, ...options }: Options & { isSimple?: boolean } = {},
): Promise<(Record<string, unknown> & { id: number })[]> {
  const { db, actor } = viewer
  const records = await findProjectRecords(db, actor, ids)
  return Promise.all(
    records.map((record) =>
      isSimple || !actor.user ? showSimple(viewer, record) : showFull(viewer, record, options),
    ),
  )
}

/** The full record of one project, which the caller sees; 404 when it is gone meanwhile. */
export async function showProject(viewer: Viewer, id: number, options: Options = {}) {
  const [record] = await findProjectRecords(viewer.db, viewer.actor, [id])
  if (!record) throw notFound('Project')
  return showFull(viewer, record, options)
}

async function showFull(viewer: Viewer, record: ProjectRecord, options: Options) {
  const { source } = record
  const shown =
    source && isSeen(source, viewer.actor) ? await showSimple(viewer, source) : undefined
  const view = await viewOf(viewer, record, options)
  return presentProject(record, { ...view, source: shown })
}

async function showSimple(viewer: Viewer, record: ProjectRecord) {
  return presentSimpleProject(record, await viewOf(viewer, record, {}))
}

async function viewOf(
  viewer: Viewer,
  record: ProjectRecord,
  { includesStatistics = false }: Options,
): Promise<ProjectView> {
  const { actor, baseUrl, config, secretKey } = viewer
  const described = await describeRepository(viewer, record)
  return { actor, baseUrl, config, secretKey, includesStatistics, ...described }
}
