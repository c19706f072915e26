// Many people, groups four levels deep and projects of all visibilities, as rows without repositories:
// what the lists are measured with, the same on both databases.
import { Level } from '../src/access/level.ts'
import type { Db, Visibility } from '../src/db/db.ts'
import { insertPersonalToken } from '../src/features/people/tokens/token.ts'
import { systemClock, timestamp } from '../src/kernel/clock.ts'

/** Those the lists are measured for, with their tokens; `nobody` is anonymous. */
export type Townsfolk = Record<'few' | 'many' | 'mayor', string>

const depths = 4
const first_id = 100_000
const batch = 200

type Rows = Record<string, string | number | boolean | null>[]

async function insertAll(db: Db, table: string, rows: Rows): Promise<void> {
  for (let at = 0; at < rows.length; at += batch) {
    // The rows are built here, by the tables' own columns.
    await db
      .insertInto(table as 'users')
      .values(rows.slice(at, at + batch) as never)
      .execute()
  }
}

type Group = { id: number; path: string; name: string; above: number[] }

/** The groups: a twentieth at the top, and below each level about twice as many. */
function groupsOf(count: number): Group[] {
  const groups: Group[] = []
  const levels: Group[][] = []
  for (let depth = 0; depth < depths; depth++) {
    const wanted =
      depth === depths - 1 ? count - groups.length : Math.ceil(count * 0.05 * 2 ** depth)
    const level = Array.from({ length: wanted }, (_, index): Group => {
      const id = first_id + groups.length + index
      const parents = levels[depth - 1]
      const parent = parents?.[index % parents.length]
      return {
        id,
        path: `${parent ? `${parent.path}/` : ''}group-${id}`,
        name: `${parent ? `${parent.name} / ` : ''}Group ${id}`,
        above: parent ? [...parent.above, parent.id] : [],
      }
    })
    levels.push(level)
    groups.push(...level)
  }
  return groups
}

function visibilityOf(number: number): Visibility {
  if (number % 10 === 0) return 'public'
  return number % 10 < 4 ? 'internal' : 'private'
}

export type TownSize = { projects: number; users: number }

/** Fills a migrated database; a hundred projects a group. */
export async function buildTown(
  db: Db,
  { projects: projects_count, users: users_count }: TownSize,
): Promise<Townsfolk> {
  const now = timestamp(systemClock)
  const groups = groupsOf(Math.max(5, Math.round(projects_count / 100)))
  const users: Rows = Array.from({ length: users_count }, (_, index) => ({
    id: first_id + index,
    username: `townsman-${index}`,
    name: `Townsman ${index}`,
    email: `townsman-${index}@bloomery.test`,
    confirmed_at: now,
    created_at: now,
    updated_at: now,
  }))
  await insertAll(db, 'users', users)
  const times = { created_at: now, updated_at: now }
  await insertAll(
    db,
    'namespaces',
    groups.map(({ id, path, name, above }) => ({
      ...{ id, kind: 'group', full_path: path, full_name: name, visibility: 'public', ...times },
      ...{ parent_id: above.at(-1) ?? null, name: `Group ${id}`, path: `group-${id}` },
    })),
  )
  await insertAll(
    db,
    'namespace_ancestors',
    groups.flatMap(({ id, above }) =>
      [...above, id].toReversed().map((ancestor_id, depth) => ({
        ...{ namespace_id: id, ancestor_id, depth },
      })),
    ),
  )
  await insertAll(
    db,
    'routes',
    groups.map(({ id, path }) => ({ path, namespace_id: id, project_id: null })),
  )
  const projects: Rows = Array.from({ length: projects_count }, (_, number) => ({
    ...{ id: first_id + number, namespace_id: groups[number % groups.length]?.id ?? 0 },
    ...{ creator_id: first_id, name: `Project ${number}`, path: `project-${number}` },
    description: `The works number ${number * 7} of the town`,
    ...{ visibility: visibilityOf(number), state: 'ready', default_branch: 'main' },
    ...{ repository_storage: 'default', last_activity_at: now, ...times },
  }))
  await insertAll(db, 'projects', projects)
  await insertAll(
    db,
    'routes',
    projects.map(({ id, path }, number) => ({
      path: `${groups[number % groups.length]?.path}/${path}`,
      namespace_id: null,
      project_id: id ?? 0,
    })),
  )
  await insertAll(
    db,
    'project_statistics',
    projects.map(({ id }, number) => ({
      ...{
        project_id: id ?? 0,
        commit_count: number,
        repository_size: (number * 7919) % 1_000_003,
      },
      updated_at: now,
    })),
  )
  return settle(db, { groups, projects, users_count })
}

/** Memberships as access/recompute-access.ts would derive them: two groups for everybody, and the three. */
async function settle(
  db: Db,
  { groups, projects, users_count }: { groups: Group[]; projects: Rows; users_count: number },
): Promise<Townsfolk> {
  const [few, many, mayor] = [first_id, first_id + 1, first_id + 2]
  const access = new Map<string, { user_id: number; namespace_id: number; access_level: number }>()
  const join = (user_id: number, group: Group | undefined) => {
    for (const { id, above } of groups) {
      if (id !== group?.id && !above.includes(group?.id ?? 0)) continue
      const row = { user_id, namespace_id: id, access_level: Level.developer }
      access.set(`${user_id} ${id}`, row)
    }
  }
  for (let index = 3; index < users_count; index++) {
    join(first_id + index, groups[(index * 7) % groups.length])
    join(first_id + index, groups[(index * 31) % groups.length])
  }
  // A tenth of all projects, from the top down.
  let held = 0
  for (const group of groups) {
    if (held >= projects.length / 10) break
    join(many, group)
    const mine = new Set(
      [...access.values()].filter((row) => row.user_id === many).map((row) => row.namespace_id),
    )
    held = projects.filter(({ namespace_id }) => mine.has(Number(namespace_id))).length
  }
  await insertAll(db, 'namespace_access', [...access.values()])
  const shut = projects.filter(({ visibility }) => visibility === 'private').slice(0, 3)
  await insertAll(
    db,
    'project_access',
    shut.map(({ id }) => ({
      ...{ user_id: few, project_id: Number(id), access_level: Level.developer },
    })),
  )
  await db.updateTable('users').set({ is_admin: true }).where('id', '=', mayor).execute()
  const tokenOf = async (user_id: number) => {
    const token = { user_id, name: 'bench', scopes: ['api' as const], expires_at: null }
    return (await insertPersonalToken(db, systemClock, token)).text
  }
  return { few: await tokenOf(few), many: await tokenOf(many), mayor: await tokenOf(mayor) }
}
