import { Type } from 'typebox'
import type { Context } from '../../http/endpoint.ts'
import { describeRepository } from './describe-repository.ts'
import {
  ProjectJson,
  presentProject,
  presentSimpleProject,
  SimpleProjectJson,
} from './project.present.ts'
import { findProjectRecords } from './project.store.ts'

export const ShownProjectsJson = Type.Array(Type.Union([ProjectJson, SimpleProjectJson]))

type Viewer = Pick<
  Context<unknown, unknown>,
  'db' | 'git' | 'config' | 'actor' | 'baseUrl' | 'secretKey'
>

/**
 * The JSON of these projects in the order of the ids: the simple record for an anonymous caller or
 * where it is asked for, else the full one. Three queries, however many there are.
 */
export async function showProjects(
  viewer: Viewer,
  ids: readonly number[],
  { isSimple = false, includesStatistics = false } = {},
): Promise<(Record<string, unknown> & { id: number })[]> {
  const { db, actor, baseUrl, config, secretKey } = viewer
  const records = await findProjectRecords(db, actor, ids)
  return Promise.all(
    records.map(async (record) => {
      const described = await describeRepository(viewer, record)
      const view = { actor, baseUrl, config, secretKey, includesStatistics, ...described }
      return isSimple || !actor.user
        ? presentSimpleProject(record, view)
        : presentProject(record, view)
    }),
  )
}
