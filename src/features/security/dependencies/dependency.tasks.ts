import { databaseKeyOf } from '../../../db/after-commit.ts'
import type { Db } from '../../../db/db.ts'
import { branchNameOf, type Oid } from '../../../git/names.ts'
import { mayHaveChangedFiles } from '../../../git/tree-changes.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  findRepositoryPlacement,
  type Project,
  projectRepository,
} from '../../../subjects/project.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import type { PipelineChange } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { LandedPush, Move } from '../../repository/pushes/push-landed.ts'
import { isLockFile } from '../lock-files/lock-file.ts'
import {
  changeDependencyListSource,
  deleteDependencyList,
  findNewestDependencyListSource,
  hasDependencyReports,
  listDependencyListIds,
  listProjectIdsWithoutDependencyList,
  listReplacedDependencyListIds,
  listUnfinishedDependencyLists,
} from './dependency.store.ts'
import {
  commitSource,
  ensureDependencyList,
  removeDependencyListsTaskName,
} from './ensure-dependency-list.ts'

type Uses = Pick<Instance, 'db' | 'git' | 'clock' | 'config'>
type OfProject = { project_id: number }

const prepare = defineTask({
  name: 'prepare-dependency-list',
  lane: 'reports',
  async run(uses: Uses, { project_id }: OfProject) {
    const project = await findRepositoryPlacement(uses.db, project_id)
    if (project?.state === 'ready' && uses.config.tier === 'ultimate') {
      await ensureDependencyList(uses, project)
    }
  },
})

/** Enqueues reading of dependency reports when a pipeline succeeds. A step of a change of a pipeline. */
export async function enqueueDependencyList(change: PipelineChange): Promise<void> {
  const { tx, clock, project_id, pipeline_id, status, before } = change
  if (status !== 'success' || before === 'success') return
  if (!(await hasDependencyReports(tx, pipeline_id))) return
  await enqueue(tx, clock, { task: prepare, key: String(project_id), payload: { project_id } })
}

/**
 * Brings the list of a project up to date when its default branch has moved: groups list what is there. A list that was read
 * from lock files stays as it is if the push changed none of them; any other is made by a task.
 */
export async function updateDependencyListAfterPush({ uses, push }: LandedPush): Promise<void> {
  const { project, moves } = push
  const move = moves.find(({ name }) => branchNameOf(name) === project.default_branch)
  if (!move || uses.config.tier !== 'ultimate') return
  const source = await findNewestDependencyListSource(uses.db, project.id)
  if (source === undefined) return
  const [from, to] = [commitSource(move.oldOid), commitSource(move.newOid)]
  if (source === from && !(await mayHaveChangedLockFiles(uses, project, move)))
    await changeDependencyListSource(uses.db, { project_id: project.id, from, to })
  else await enqueuePrepare(uses, project.id)
}

function mayHaveChangedLockFiles(
  { git, config }: Pick<Instance, 'git' | 'config'>,
  project: Project,
  { oldOid, newOid }: Move,
): Promise<boolean> {
  return mayHaveChangedFiles(git.objects, projectRepository(config, project), {
    from: oldOid as Oid,
    to: newOid as Oid,
    isWanted: isLockFile,
    folders_max: limits.dependencies.compared_folders_max,
  })
}

const enqueuePrepare = ({ db, clock }: Pick<Instance, 'db' | 'clock'>, project_id: number) =>
  enqueue(db, clock, { task: prepare, key: String(project_id), payload: { project_id } })

/** Deletes the dependency lists of a project before it is removed. */
export async function deleteDependencyLists({
  db,
  project_id,
}: {
  db: Db
  project_id: number
}): Promise<void> {
  for (const id of await listDependencyListIds(db, project_id)) await deleteDependencyList(db, id)
}

/**
 * The last project that this process has enqueued, for each database. The next run continues after it, and
 * starts again after the oldest project. Otherwise projects whose lists cannot be created would keep all
 * others waiting.
 */
const lastAsked = new WeakMap<object, number>()

export const dependencyTasks = [
  prepare,
  defineTask({
    ...removeDependencyListsTaskName,
    async run({ db }: Pick<Instance, 'db'>, { project_id }: OfProject) {
      for (const id of await listReplacedDependencyListIds(db, project_id))
        await deleteDependencyList(db, id)
    },
  }),
  defineTask({
    name: 'prepare-missing-dependency-lists',
    lane: 'reports',
    every_ms: limits.dependencies.missing_ms,
    async run(uses: Pick<Instance, 'db' | 'clock' | 'config'>) {
      if (uses.config.tier !== 'ultimate') return
      const limit = limits.dependencies.missing_max
      const key = databaseKeyOf(uses.db)
      const before = lastAsked.get(key)
      const ids = await listProjectIdsWithoutDependencyList(uses.db, { before, limit })
      for (const id of ids) await enqueuePrepare(uses, id)
      const last = ids.at(-1)
      if (ids.length === limit && last !== undefined) lastAsked.set(key, last)
      else lastAsked.delete(key)
    },
  }),
  defineTask({
    name: 'remove-unfinished-dependency-lists',
    lane: 'expiry',
    every_ms: limits.dependencies.build_ms,
    async run({ db, clock }: Pick<Instance, 'db' | 'clock'>) {
      const before = new Date(clock().getTime() - limits.dependencies.build_ms).toISOString()
      for (const id of await listUnfinishedDependencyLists(db, before))
        await deleteDependencyList(db, id)
    },
  }),
]
