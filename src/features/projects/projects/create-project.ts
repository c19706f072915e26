import type { ActorUser } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import {
  lockAccessRecomputation,
  recomputeProjectAccess,
} from '../../../access/recompute-access.ts'
import type { Db, Visibility } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { refuseIfDiskFull } from '../../../disk/disk.ts'
import { branchAndTagPrefixes, copyRepository } from '../../../git/copy-repository.ts'
import { createRepository, removeRepository } from '../../../git/create-repository.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Clock, timestamp, today } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import { invalid, limitReached } from '../../../kernel/errors.ts'
import { slugify } from '../../../kernel/names.ts'
import { newRegistrationToken } from '../../../kernel/secrets.ts'
import { findNamespace, type Namespace } from '../../../subjects/namespace.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import { cancelWaitingTask, enqueue } from '../../../tasks/task.ts'
import { insertRoute } from '../../basics/namespaces/namespace.ts'
import { resolveStorageForNewRepository } from '../../basics/settings/storage-weights.ts'
import { insertMember } from '../../people/members/member.ts'
import { replaceProjectTopics } from '../topics/topic.ts'
import {
  countProjectsOfNamespace,
  findTakenNameOrPath,
  insertProject,
  markProjectReady,
} from './project.store.ts'
import { removeProjectTask } from './project.tasks.ts'
import { joinForkNetwork } from './project.ts'
import { projectChangedEffect } from './project-changed.ts'
import {
  type ProjectSettings,
  projectProblems,
  takenNameOrPathProblems,
} from './project-problems.ts'

export type NewProject = {
  creator: ActorUser
  namespace: Namespace
  name: string
  path: string
  visibility: Visibility
  default_branch: string
  topics: readonly string[]
  settings: ProjectSettings
  /** The project to copy. The caller may fork it. */
  source?: Project
  /** The maximum number of projects in the personal namespace of its owner. */
  projects_limit: number
}

/** Runs in the transaction in which a fork becomes ready. */
export const projectCopiedEffect = declareEffect<
  Pick<NewProject, 'default_branch' | 'namespace'> & {
    tx: Db
    clock: Clock
    id: number
    source: Project
  }
>('a project is copied')

/** How long a creation may take before it counts as interrupted. */
const creation_ms_max = 60_000

/**
 * Creates a project with an empty repository, or with a copy of its source's: first the row as `creating`, then the
 * repository, then the row as `ready`. After a crash in between, the task that was queued with the row removes the rest.
 */
export async function createProject(uses: Instance, project: NewProject): Promise<number> {
  const { db, git, clock, config } = uses
  // A copy must be created on the server of its source.
  const isHere = project.source ? true : undefined
  const wanted = project.settings.repository_storage
  const storage = await resolveStorageForNewRepository(db, config, { wanted, isHere })
  refuseIfDiskFull(config, storage)
  const id = await runTransaction(db, (tx) => insertCreating(tx, uses, project, storage))
  const repository = projectRepository(config, { id, repository_storage: storage })
  if (project.source) {
    const source = projectRepository(config, project.source)
    await copyRepository(git.git, source, repository, { references: branchAndTagPrefixes })
  } else {
    await createRepository(repository, project.default_branch)
  }
  const isReady = await runTransaction(db, async (tx) => {
    if (!(await markProjectReady(tx, id))) return false
    await cancelWaitingTask(tx, { task: removeProjectTask, key: String(id) })
    if (project.source)
      await projectCopiedEffect.run({ ...project, tx, clock, id, source: project.source })
    await projectChangedEffect.run({ tx, clock, project_id: id, action: 'create' })
    return true
  })
  if (isReady) return id
  // The group was deleted in the meantime, or the creation took so long that it counted as interrupted.
  await removeRepository(repository)
  throw invalid({ namespace: ['is not valid'] })
}

async function insertCreating(
  tx: Db,
  { clock, secretKey }: Pick<Instance, 'clock' | 'secretKey'>,
  project: NewProject,
  storage: string,
): Promise<number> {
  const { creator, name, path, visibility, source } = project
  // Loaded again under the lock, since the group may have been renamed or deleted in the meantime.
  await lockAccessRecomputation(tx)
  const namespace = await findNamespace(tx, project.namespace.id)
  if (namespace?.state !== 'ready') throw invalid({ namespace: ['is not valid'] })
  const problems = projectProblems({ ...project, namespace })
  if (Object.keys(problems).length > 0) throw invalid(problems)
  if (namespace.kind === 'user') await checkLimit(tx, namespace.id, project.projects_limit)
  const now = timestamp(clock)
  const inserted = await insertProject(tx, {
    // By default a Pages site is visible to those who can see the project (docs/api/pages.md, "Access").
    pages_access_level: visibility === 'public' ? 'enabled' : 'private',
    ...project.settings,
    name,
    path,
    visibility,
    namespace_id: namespace.id,
    creator_id: creator.id,
    default_branch: project.default_branch,
    repository_storage: storage,
    forked_from_id: source?.id,
    fork_network_id: source && (await joinForkNetwork(tx, source.id)),
    ...newRegistrationToken(secretKey),
    last_activity_at: now,
    created_at: now,
    updated_at: now,
  })
  if (!inserted) {
    const taken = await findTakenNameOrPath(tx, { namespace_id: namespace.id, name, path })
    throw invalid(takenNameOrPathProblems(taken))
  }
  const { id } = inserted
  const route = { path: `${namespace.full_path}/${path}`, project_id: id }
  const isFree = await insertRoute(tx, route, creator)
  if (!isFree) throw invalid(takenNameOrPathProblems({ name: false, path: true }))
  if (project.topics.length > 0)
    await replaceProjectTopics(tx, clock, { id, topics: project.topics })
  if (namespace.kind === 'user' && namespace.owner_id !== null) {
    await insertMember(tx, {
      user_id: namespace.owner_id,
      project_id: id,
      access_level: Level.owner,
      created_by_id: creator.id,
      created_at: now,
    })
    await recomputeProjectAccess(tx, [id], { today: today(clock) })
  }
  await enqueue(tx, clock, {
    task: removeProjectTask,
    key: String(id),
    payload: { project_id: id },
    delay_ms: creation_ms_max,
  })
  return id
}

async function checkLimit(tx: Db, namespaceId: number, projects_limit: number): Promise<void> {
  if (projects_limit === 0) {
    throw limitReached(
      'Personal project creation is not allowed. Please contact your administrator with questions',
    )
  }
  if ((await countProjectsOfNamespace(tx, namespaceId)) < projects_limit) return
  throw limitReached(
    `Your project limit is ${projects_limit} projects! Please contact your administrator to increase it`,
  )
}

/** Returns the name and path that the client gave. If one is missing or empty, it is derived from the other. */
export function resolveNameAndPath({ name, path }: { name?: string; path?: string }): {
  name: string
  path: string
} {
  return { name: name || path || '', path: path || slugify(name ?? '') }
}
