// The fixture most tests start from: a world of its own in an application that the tests of a file
// share. Nothing in it is seen by another test, because all its names are new.

import { randomUUID } from 'node:crypto'
import { anonymous } from '../../src/access/actor.ts'
import { Level } from '../../src/access/level.ts'
import { recomputeNamespaceAccess } from '../../src/access/recompute-access.ts'
import type { Visibility } from '../../src/db/db.ts'
import {
  administratorClaimant,
  insertNamespace,
} from '../../src/features/basics/namespaces/namespace.ts'
import { insertMember } from '../../src/features/people/members/member.ts'
import { insertPersonalToken } from '../../src/features/people/tokens/token.ts'
import { createUser } from '../../src/features/people/users/create-user.ts'
import { createProject } from '../../src/features/projects/projects/create-project.ts'
import { createCommit } from '../../src/features/repository/commits/create-commit.ts'
import { confirmAlways } from '../../src/git/update-refs.ts'
import { timestamp, today } from '../../src/kernel/clock.ts'
import type { Namespace } from '../../src/subjects/namespace.ts'
import { findProject, type Project } from '../../src/subjects/project.ts'
import { actorUserFromUser, type User } from '../../src/subjects/user.ts'
import { type Client, rootToken, startApp, type TestApp } from './app.ts'
import { atFileEnd } from './file-end.ts'

const roles = {
  guest: Level.guest,
  reporter: Level.reporter,
  developer: Level.developer,
  maintainer: Level.maintainer,
  owner: Level.owner,
} as const
type Role = keyof typeof roles

/** Everybody a test can act as. `outsider` is signed in and a member of nothing. */
export type Who = 'anonymous' | 'outsider' | Role | 'admin'
export const everybody: readonly Who[] = [
  'anonymous',
  'outsider',
  'guest',
  'reporter',
  'developer',
  'maintainer',
  'owner',
  'admin',
]

export type World = {
  app: TestApp
  as: (who: Who) => Client
  token: (who: Exclude<Who, 'anonymous'>) => string
  users: Record<Exclude<Who, 'anonymous' | 'admin'>, User>
  /** `open` is public, `inside` internal, `shut` private; the roles are members of all three groups. */
  groups: Record<Place, Namespace>
  projects: Record<Place, Project>
  /** Further things, under new names. */
  newUser: (
    fields?: Partial<Parameters<typeof createUser>[2]>,
  ) => Promise<{ user: User; token: string; client: Client }>
  newProject: (options?: {
    group?: Namespace
    visibility?: Visibility
    files?: Record<string, string | Buffer>
    branch?: string
  }) => Promise<Project>
  newGroup: (options?: { parent?: Namespace; visibility?: Visibility }) => Promise<Namespace>
  /** A group of which the roles are members. */
  newMemberedGroup: () => Promise<Namespace>
  /** One commit with these files on a branch, made as the owner. */
  commit: (
    project: Project,
    files: Record<string, string | Buffer | null>,
    options?: { branch?: string; start_branch?: string; message?: string },
  ) => Promise<string>
}
export type Place = 'open' | 'inside' | 'shut'

const visibilities: Record<Place, Visibility> = {
  open: 'public',
  inside: 'internal',
  shut: 'private',
}

/** `default_branch_protection` of groups whose branches everybody who pushes may push to. */
const noProtection = 0

let shared: Promise<TestApp> | undefined

/** The application the tests of this file share; it ends with the file. */
export function sharedApp(): Promise<TestApp> {
  if (shared) return shared
  const app = startApp()
  atFileEnd(async () => {
    shared = undefined
    await (await app).close()
  })
  shared = app
  return app
}

export type WorldOptions = {
  /** Of new projects and groups that name none; private if unsaid. */
  visibility?: Visibility
  /** Which branches of new projects are protected: the first one if unsaid. */
  protectedBranches?: 'first' | 'none' | 'all'
}

export async function newWorld(
  given?: TestApp,
  { visibility: usual = 'private', protectedBranches = 'first' }: WorldOptions = {},
): Promise<World> {
  const app = given ?? (await sharedApp())
  const { db, git, config, secretKey } = app
  const clock = app.clock.now
  const suffix = randomUUID().slice(0, 8)
  const services = { db, git, clock, config, secretKey }

  const makeUser = async (username: string, fields = {}) => {
    const user = await createUser(db, clock, {
      username,
      name: `The ${username}`,
      email: `${username}@bloomery.test`,
      confirmed_at: timestamp(clock),
      ...fields,
    })
    const { text } = await insertPersonalToken(db, clock, {
      user_id: user.id,
      name: 'test',
      scopes: ['api'],
      expires_at: null,
    })
    return { user, token: text, client: app.client(text) }
  }
  const people = {
    outsider: await makeUser(`outsider-${suffix}`),
    guest: await makeUser(`guest-${suffix}`),
    reporter: await makeUser(`reporter-${suffix}`),
    developer: await makeUser(`developer-${suffix}`),
    maintainer: await makeUser(`maintainer-${suffix}`),
    owner: await makeUser(`owner-${suffix}`),
  }
  let made = 0
  const newGroup: World['newGroup'] = async ({ parent, visibility = usual } = {}) => {
    const path = `group-${suffix}-${++made}`
    const group = await insertNamespace(db, {
      kind: 'group',
      owner_id: null,
      parent,
      name: `Group ${suffix} ${made}`,
      path,
      visibility,
      now: timestamp(clock),
      claimant: administratorClaimant,
    })
    if (!group) throw new Error('The path of a test group is taken.')
    if (protectedBranches !== 'none') return group
    return db
      .updateTable('namespaces')
      .set({ default_branch_protection: noProtection })
      .where('id', '=', group.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  }
  const withMembers = async (visibility: Visibility) => {
    const group = await newGroup({ visibility })
    for (const [role, level] of Object.entries(roles)) {
      const { user } = people[role as Role]
      const member = { user_id: user.id, namespace_id: group.id, access_level: level }
      await insertMember(db, { ...member, created_at: timestamp(clock) })
    }
    await recomputeNamespaceAccess(db, [group.id], { today: today(clock) })
    return group
  }
  const groups = {
    open: await withMembers(visibilities.open),
    inside: await withMembers(visibilities.inside),
    shut: await withMembers(visibilities.shut),
  }
  const usualGroup =
    Object.values(groups).find(({ visibility }) => visibility === usual) ?? groups.shut
  const commit: World['commit'] = (project, files, options = {}) =>
    createCommit(services, {
      project,
      user: actorUserFromUser(people.owner.user),
      branch: options.branch ?? 'main',
      start_branch: options.start_branch,
      message: options.message ?? 'Add files',
      actions: Object.entries(files).map(([file_path, content]) =>
        content === null
          ? { action: 'delete' as const, file_path }
          : { action: 'create' as const, file_path, content: Buffer.from(content) },
      ),
      staleMessage: () => 'stale',
      confirm: confirmAlways,
    })
  const newProject: World['newProject'] = async (options = {}) => {
    const {
      group = usualGroup,
      visibility = group.visibility,
      files = {},
      branch = 'main',
    } = options
    const path = `project-${suffix}-${++made}`
    const id = await createProject(services, {
      creator: actorUserFromUser(people.owner.user),
      namespace: group,
      name: path,
      path,
      visibility,
      default_branch: branch,
      topics: [],
      settings: {},
      projects_limit: 1000,
    })
    const found = await findProject(db, anonymous, { id })
    if (!found) throw new Error('A test project cannot be found.')
    if (Object.keys(files).length > 0) await commit(found.project, files, { branch })
    if (protectedBranches === 'all') {
      const owner = app.client(people.owner.token)
      await owner.post(`/projects/${id}/protected_branches`, { name: '*' })
    }
    return found.project
  }
  const files = { 'README.md': '# Readme\n' }
  const projects = {
    open: await newProject({ group: groups.open, files }),
    inside: await newProject({ group: groups.inside, files }),
    shut: await newProject({ group: groups.shut, files }),
  }
  const token: World['token'] = (who) => (who === 'admin' ? rootToken : people[who].token)
  const { outsider, guest, reporter, developer, maintainer, owner } = people
  return {
    app,
    as: (who) => app.client(who === 'anonymous' ? undefined : token(who)),
    token,
    users: {
      outsider: outsider.user,
      guest: guest.user,
      reporter: reporter.user,
      developer: developer.user,
      maintainer: maintainer.user,
      owner: owner.user,
    },
    groups,
    projects,
    newUser: (fields) => makeUser(`user-${suffix}-${++made}`, fields),
    newProject,
    newGroup,
    newMemberedGroup: () => withMembers(usual),
    commit,
  }
}
