// A data folder to serve, filled beforehand: one user with a token and the measured projects through
// the features' own functions; the mass of other projects as rows, without repositories, by SQL.

import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { readConfig } from '../src/config.ts'
import type { Db } from '../src/db/db.ts'
import { openDatabase } from '../src/db/open.ts'
// What users and projects are followed by is said there.
import '../src/features/families.ts'
import { insertPersonalToken } from '../src/features/people/tokens/token.ts'
import { createUser } from '../src/features/people/users/create-user.ts'
import { createProject } from '../src/features/projects/projects/create-project.ts'
import { createCommit } from '../src/features/repository/commits/create-commit.ts'
import { closeGitAccess, openGitAccess } from '../src/git/git.ts'
import { maintainRepository } from '../src/git/maintenance.ts'
import { confirmAlways } from '../src/git/update-refs.ts'
import { systemClock, timestamp } from '../src/kernel/clock.ts'
import { findPersonalNamespace } from '../src/subjects/namespace.ts'
import { findProject, projectRepository } from '../src/subjects/project.ts'
import { actorUserFromUser, type User } from '../src/subjects/user.ts'
import { runGit } from './machine.ts'

export type SiteProject = { id: number; fullPath: string; repository: string; tip: string }
export type Site = { data: string; token: string; projects: Record<string, SiteProject> }

/** What a repository holds beyond its first commit, as streams for `git fast-import`. */
export type Content = Iterable<string | Buffer>

const rows_per_group = 100
const first_id = 1000

/** Makes the folder and fills it; nothing is left running. */
export async function makeSite(
  data: string,
  { mass, contents }: { mass: number; contents: Record<string, () => Content> },
): Promise<Site> {
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const secretKey = randomBytes(32)
  writeFileSync(join(data, 'secret.key'), secretKey, { mode: 0o600 })
  const config = readConfig({ BLOOMERY_DATA: data, PATH: process.env.PATH })
  const clock = systemClock
  const db = await openDatabase({ url: join(data, 'bloomery.sqlite') })
  const git = await openGitAccess({
    memory_bytes_max: 2 ** 28,
    searchPath: config.searchPath,
    cache: join(config.data, 'cache'),
    now_ms: () => clock().getTime(),
  })
  try {
    const { user, token } = await makeUser(db)
    const projects: Site['projects'] = {}
    for (const [name, content] of Object.entries(contents)) {
      projects[name] = await makeProject({ db, git, clock, config, secretKey }, user, name, content)
    }
    await insertMass(db, user.id, mass - Object.keys(projects).length)
    // The repositories are in order; a first maintenance would only disturb the measurements.
    await db.deleteFrom('tasks').execute()
    return { data, token, projects }
  } finally {
    await closeGitAccess(git)
    await db.destroy()
  }
}

async function makeUser(db: Db): Promise<{ user: User; token: string }> {
  const user = await createUser(db, systemClock, {
    username: 'smith',
    name: 'The Smith',
    email: 'smith@bloomery.test',
    confirmed_at: timestamp(systemClock),
  })
  const { text: token } = await insertPersonalToken(db, systemClock, {
    user_id: user.id,
    name: 'bench',
    scopes: ['api'],
    expires_at: null,
  })
  return { user, token }
}

async function makeProject(
  services: Parameters<typeof createProject>[0],
  user: User,
  name: string,
  content: () => Content,
): Promise<SiteProject> {
  const { db, git, config } = services
  const creator = actorUserFromUser(user)
  const namespace = await findPersonalNamespace(db, user.id)
  if (!namespace) throw new Error('A user has no personal namespace.')
  const id = await createProject(services, {
    creator,
    namespace,
    name,
    path: name,
    visibility: 'private',
    default_branch: 'main',
    topics: [],
    settings: {},
    projects_limit: 1000,
  })
  const found = await findProject(db, { user: creator, token: undefined }, { id })
  if (!found) throw new Error('The created project was not found.')
  await createCommit(services, {
    project: found.project,
    user: creator,
    branch: 'main',
    message: 'Begin',
    actions: [{ action: 'create', file_path: 'README.md', content: Buffer.from('# Read me\n') }],
    staleMessage: () => 'stale',
    confirm: confirmAlways,
  })
  const repository = projectRepository(config, found.project)
  const within = `--git-dir=${repository.path}`
  await runGit([within, 'fast-import', '--quiet'], content())
  await maintainRepository(git.git, repository)
  const tip = await runGit([within, 'rev-parse', 'refs/heads/main'])
  return { id, fullPath: found.project.full_path, repository: repository.path, tip: tip.trim() }
}

/** Projects in groups of a hundred, the user a developer in every tenth group. */
async function insertMass(db: Db, userId: number, count: number): Promise<void> {
  if (count <= 0) return
  const groups = Math.ceil(count / rows_per_group)
  const now = timestamp(systemClock)
  // Ids far above those of what was made through the features. Literals, because a bound number
  // would make SQLite divide with fractions.
  const id = sql`n.i + ${sql.lit(first_id)}`
  const groupOfProject = sql`n.i / ${sql.lit(rows_per_group)}`
  const numbers = (most: number) =>
    sql`with recursive n(i) as
        (select 0 union all select i + 1 from n where i < ${sql.lit(most - 1)})`
  const statements = [
    sql`insert into namespaces
          (id, kind, name, path, full_name, full_path, visibility, created_at, updated_at)
        ${numbers(groups)}
        select ${id}, 'group', 'Group ' || n.i, 'group-' || n.i, 'Group ' || n.i,
          'group-' || n.i, 'internal', ${now}, ${now} from n`,
    sql`insert into routes (path, namespace_id) ${numbers(groups)}
        select 'group-' || n.i, ${id} from n`,
    sql`insert into namespace_ancestors (namespace_id, ancestor_id, depth) ${numbers(groups)}
        select ${id}, ${id}, 0 from n`,
    sql`insert into members (user_id, namespace_id, access_level, created_at) ${numbers(groups)}
        select ${userId}, ${id}, 30, ${now} from n where n.i % 10 = 0`,
    sql`insert into namespace_access (user_id, namespace_id, access_level) ${numbers(groups)}
        select ${userId}, ${id}, 30 from n where n.i % 10 = 0`,
    sql`insert into projects (id, namespace_id, creator_id, name, path, visibility, state,
          default_branch, repository_storage, last_activity_at, created_at, updated_at)
        ${numbers(count)}
        select ${id}, ${groupOfProject} + ${sql.lit(first_id)}, ${userId}, 'Project ' || n.i,
          'project-' || n.i, 'internal', 'ready', 'main', 'default', ${now}, ${now}, ${now} from n`,
    sql`insert into routes (path, project_id) ${numbers(count)}
        select 'group-' || (${groupOfProject}) || '/project-' || n.i, ${id} from n`,
  ]
  await db.transaction().execute(async (tx) => {
    for (const statement of statements) await statement.execute(tx)
  })
}
