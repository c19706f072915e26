// Creates the list of a project's dependencies, once for each source.

import { findViolatedIndex } from '../../../db/dialect.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { branchRef, type Oid } from '../../../git/names.ts'
import { peelToCommit, readRef } from '../../../git/refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { KeyedMutex } from '../../../kernel/semaphore.ts'
import { slicesWithYields } from '../../../kernel/with-yields.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { enqueue } from '../../../tasks/task.ts'
import { listReportArtifacts, reportSourceKey } from '../reports/report.ts'
import { reportReadBudget } from '../reports/report-read-budget.ts'
import {
  deleteDependencyList,
  dependencyReportTypes,
  findNewestPipelineWithDependencyReports,
  findReadyDependencyListId,
  insertDependencies,
  insertDependencyList,
  markDependencyListReady,
} from './dependency.store.ts'
import type { FoundDependency } from './dependency-collection.ts'
import { readDependencyScans } from './read-dependency-scans.ts'
import { readLockFiles } from './read-lock-files.ts'

type Uses = Pick<Instance, 'db' | 'git' | 'clock' | 'config'>
type Listed = Pick<Project, 'id' | 'repository_storage' | 'default_branch'>
/** The source of a list. Its name changes with its content. */
type Source = { name: string; read: () => Promise<readonly FoundDependency[]> }

const turns = new KeyedMutex()

/** The task that deletes replaced lists, once nobody reads them any more. */
export const removeDependencyListsTaskName = {
  name: 'remove-dependency-lists',
  lane: 'removal',
} as const
const readers_ms = 60_000

/**
 * Returns the list of the newest pipeline with dependency reports or, without any, of the lock files on the default branch.
 * Creates it if it does not exist. Undefined for a project without either.
 */
export async function ensureDependencyList(
  uses: Uses,
  project: Listed,
): Promise<number | undefined> {
  const source = await findSource(uses, project)
  if (!source) return undefined
  const list = { project_id: project.id, source: source.name }
  const ready = await findReadyDependencyListId(uses.db, list)
  if (ready !== undefined) return ready
  return turns.run(`${project.id} ${source.name}`, async () => {
    // Another request may have created the list while this one waited.
    const meanwhile = await findReadyDependencyListId(uses.db, list)
    return meanwhile ?? reportReadBudget.run(() => build(uses, list, source))
  })
}

async function findSource(uses: Uses, project: Listed): Promise<Source | undefined> {
  const { id: project_id, default_branch: ref } = project
  if (ref === null) return undefined
  const pipeline = await findNewestPipelineWithDependencyReports(uses.db, { project_id, ref })
  const reports = pipeline
    ? await listReportArtifacts(uses.db, pipeline.id, dependencyReportTypes)
    : []
  if (reports.length > 0) {
    return { name: reportSourceKey(reports), read: () => readDependencyScans(uses, reports) }
  }
  const repository = projectRepository(uses.config, project)
  const tip = await findTip(uses, project, ref)
  return tip && { name: commitSource(tip), read: () => readLockFiles(uses.git, repository, tip) }
}

/** Returns the source of a list from the lock files of a commit. */
export const commitSource = (oid: string) => `commit:${oid}`

async function findTip(
  { git, config }: Uses,
  project: Listed,
  branch: string,
): Promise<Oid | undefined> {
  const repository = projectRepository(config, project)
  const ref = branchRef(branch)
  const oid = ref && readRef(repository, ref)
  return oid && peelToCommit(git.objects, repository, oid)
}

const batch_rows = 500

/**
 * Inserts the rows in short transactions; readers do not see the list before it is complete. If several
 * servers create the same list, the first one to finish counts.
 */
async function build(
  { db, clock }: Uses,
  list: { project_id: number; source: string },
  { read }: Source,
): Promise<number | undefined> {
  const dependencies = await read()
  const id = await insertDependencyList(db, { ...list, created_at: timestamp(clock) })
  // Yields after each batch, since SQLite answers synchronously and would block other requests.
  for await (const some of slicesWithYields(dependencies, batch_rows)) {
    await insertDependencies(db, id, some)
  }
  if (await finish({ db, clock }, { id, project_id: list.project_id })) return id
  await deleteDependencyList(db, id)
  return findReadyDependencyListId(db, list)
}

/** Returns false if another list of the same source became ready first. */
async function finish(
  { db, clock }: Pick<Uses, 'db' | 'clock'>,
  { id, project_id }: { id: number; project_id: number },
): Promise<boolean> {
  try {
    await runTransaction(db, async (tx) => {
      await markDependencyListReady(tx, id, timestamp(clock))
      await enqueue(tx, clock, {
        task: removeDependencyListsTaskName,
        key: String(project_id),
        payload: { project_id },
        delay_ms: readers_ms,
      })
    })
    return true
  } catch (error) {
    if (findViolatedIndex(error) === undefined) throw error
    return false
  }
}
