// The rows of a new pipeline.

import type { Insertable } from 'kysely'
import type {
  Db,
  JobSpecTable,
  JobTable,
  PipelineTable,
  PipelineVariableTable,
} from '../../../db/db.ts'
import { splitIntoBatches } from '../../../kernel/split-into-batches.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'

export function findPipelineByOrigin(db: Db, origin: string): Promise<Pipeline | undefined> {
  return db.selectFrom('pipelines').selectAll().where('origin', '=', origin).executeTakeFirst()
}

export async function insertPipeline(tx: Db, values: Insertable<PipelineTable>): Promise<Pipeline> {
  return tx.insertInto('pipelines').values(values).returningAll().executeTakeFirstOrThrow()
}

export async function insertPipelineVariables(
  tx: Db,
  variables: readonly Insertable<PipelineVariableTable>[],
): Promise<void> {
  if (variables.length === 0) return
  await tx.insertInto('pipeline_variables').values(variables).execute()
}

export type NewJob = {
  row: Insertable<JobTable>
  spec: Insertable<Omit<JobSpecTable, 'job_id'>>
}

/** The number of rows of jobs in one statement. Each row has about 25 values. */
const rows_a_statement = 100

/** Inserts jobs with their specs; returns their ids in the same order. */
export async function insertJobs(tx: Db, jobs: readonly NewJob[]): Promise<number[]> {
  const ids: number[] = []
  for (const part of splitIntoBatches(jobs, rows_a_statement)) {
    const inserted = await tx
      .insertInto('jobs')
      .values(part.map(({ row }) => row))
      .returning(['id', 'name'])
      .execute()
    const idOf = new Map(inserted.map(({ id, name }) => [name, id]))
    const partIds = part.map(({ row }) => idOf.get(row.name) ?? 0)
    await tx
      .insertInto('job_specs')
      .values(part.map(({ spec }, index) => ({ ...spec, job_id: partIds[index] ?? 0 })))
      .execute()
    ids.push(...partIds)
  }
  return ids
}

/** Returns the id of the list of tags, and inserts it if it is new. */
export async function ensureRunnerTagSet(tx: Db, tags: readonly string[]): Promise<number> {
  const text = JSON.stringify([...new Set(tags)].toSorted())
  const find = () =>
    tx.selectFrom('tag_sets').select('id').where('tags', '=', text).executeTakeFirst()
  const found = await find()
  if (found) return found.id
  await tx
    .insertInto('tag_sets')
    .values({ tags: text })
    .onConflict((conflict) => conflict.column('tags').doNothing())
    .execute()
  return (await find())?.id ?? 0
}

/** Returns the id of a resource group by key, and creates it if it is missing. */
export async function ensureResourceGroup(
  tx: Db,
  { project_id, key, now }: { project_id: number; key: string; now: string },
): Promise<number> {
  const { id } = await tx
    .insertInto('resource_groups')
    .values({ project_id, key, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['project_id', 'key']).doUpdateSet({ key }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
