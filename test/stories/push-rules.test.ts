// Every text a pusher reads (docs/api/git-access.md, "Messages for pushes"), as git prints it.
import { beforeAll, describe, expect, it } from 'vitest'
import { upsertProjectStatistics } from '../../src/features/repository/maintenance/statistics.store.ts'
import { protectedTagRefusalTexts } from '../../src/features/repository/protected-tags/protected-tag.ts'
import { refusalTexts } from '../../src/features/repository/pushes/check-push.ts'
import { limits } from '../../src/kernel/limits.ts'
import type { Project } from '../../src/subjects/project.ts'
import {
  type GitResult,
  type GitWorld,
  newGitWorld,
  runRealGit,
  type WorkingCopy,
} from '../kit/git.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

type Rule = { push?: number; merge?: number; force?: boolean }

async function protect(project: Project, name: string, rule: Rule = {}): Promise<void> {
  const { push = 40, merge = 40, force = false } = rule
  const { db } = world.app
  const { id } = await db
    .insertInto('protected_branches')
    .values({
      project_id: project.id,
      name,
      allow_force_push: force,
      created_at: '2026-01-01T00:00:00.000Z',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('protected_branch_access_levels')
    .values([
      { protected_branch_id: id, action: 'push', access_level: push },
      { protected_branch_id: id, action: 'merge', access_level: merge },
    ])
    .execute()
}

/** What the server said and what became of each reference. */
function told({ stderr }: GitResult): { remote: string[]; rejected: string[] } {
  const lines = stderr.split('\n').map((line) => line.trimEnd())
  return {
    remote: lines.filter((line) => line.startsWith('remote:')).map((line) => line.slice(8)),
    rejected: lines.filter((line) => line.startsWith(' ! ')).sort(),
  }
}

/** A project whose protected `main` has two commits, checked out by somebody. */
async function open(as: 'developer' | 'maintainer' | 'owner' | 'admin'): Promise<{
  project: Project
  copy: WorkingCopy
}> {
  const project = await world.newProject({ files: { a: 'a' } })
  await world.commit(project, { b: 'b' })
  return { project, copy: await world.clone(project, { as }) }
}

const forced = 'You are not allowed to force push code to a protected branch on this project.'
const noPush = 'You are not allowed to push code to protected branches on this project.'
const noCreate = 'You are not allowed to create protected branches on this project.'
const onlyWebCreate = 'You can only create protected branches using the web interface and API.'
const noDelete =
  'You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.'
const onlyWebDelete = 'You can only delete protected branches using the web interface.'
const noDefaultDelete = 'The default branch of a project cannot be deleted.'
const noHex = 'You cannot create a branch with a 40-character hexadecimal branch name.'
const noTagName = 'You cannot create a tag with a prohibited pattern.'
const noName = 'You cannot create a branch with an invalid name.'
const hex = 'a'.repeat(40)

/** The tags that tests make, for who has that level. */
async function protectTags(project: { id: number }, create_access_level: number): Promise<void> {
  for (const name of ['v*', 'new']) {
    const rule = { name, create_access_level }
    const made = await world.as('owner').post(`/projects/${project.id}/protected_tags`, rule)
    expect(made.statusCode).toBe(201)
  }
}

describe('a refused push', () => {
  it.each([
    ['developer', 'HEAD:main', noPush, {}],
    ['developer', 'HEAD:keep', noPush, {}],
    ['developer', '+HEAD~2:main', forced, {}],
    ['maintainer', '+HEAD~2:main', forced, {}],
    ['owner', '+HEAD~2:keep', forced, {}],
    ['developer', '+HEAD~2:keep', noPush, { keep: { force: true } }],
    ['developer', 'HEAD:stable-1', noCreate, { wildcard: { merge: 40 } }],
    ['developer', 'HEAD:stable-1', onlyWebCreate, { wildcard: { merge: 30 } }],
    ['maintainer', 'HEAD:stable-1', noCreate, { wildcard: { push: 0, merge: 0 } }],
    ['developer', ':keep', noDelete, {}],
    ['maintainer', ':keep', onlyWebDelete, {}],
    ['admin', ':keep', onlyWebDelete, {}],
    ['developer', ':main', noDefaultDelete, {}],
    ['owner', ':main', noDefaultDelete, {}],
    ['developer', '+HEAD~2:refs/tags/v1', protectedTagRefusalTexts.change, {}],
    ['developer', 'HEAD:refs/tags/new', protectedTagRefusalTexts.create, { tags: 40 }],
    ['owner', 'HEAD:refs/tags/new', protectedTagRefusalTexts.create, { tags: 0 }],
    ['owner', '+HEAD~2:refs/tags/v1', protectedTagRefusalTexts.update, { tags: 30 }],
    ['developer', ':refs/tags/v1', protectedTagRefusalTexts.delete, { tags: 30 }],
    ['owner', ':refs/tags/v1', protectedTagRefusalTexts.deleteByPush, { tags: 30 }],
    ['owner', `HEAD:refs/heads/${hex}`, noHex, {}],
    ['owner', `HEAD:refs/heads/${hex}/x`, noHex, {}],
    ['owner', `HEAD:refs/heads/${hex}-/x`, noHex, {}],
    ['owner', 'HEAD:refs/heads/HEAD', noName, {}],
    ['owner', 'HEAD:refs/heads/-x', noName, {}],
    ['owner', 'HEAD:refs/heads/refs/heads/main', noName, {}],
    ['owner', 'HEAD:refs/tags/-x', noTagName, {}],
    ['owner', 'HEAD:refs/tags/refs/tags/x', noTagName, {}],
    ['owner', 'HEAD:refs/tags/refs/heads/main', noTagName, {}],
  ] as const)('of the %s, %s, says why', async (as, refspec, text, rules) => {
    const { project, copy } = await open(as)
    await protect(project, 'keep', 'keep' in rules ? rules.keep : {})
    if ('wildcard' in rules) await protect(project, 'stable-*', rules.wildcard)
    const start = await copy.must(['rev-parse', 'HEAD'])
    for (const ref of ['refs/heads/keep', 'refs/tags/v1']) {
      const set = ['push', '--quiet', world.remote(project, 'admin'), `${start}:${ref}`]
      await copy.must(set)
    }
    if ('tags' in rules) await protectTags(project, rules.tags)
    const before = await world.refs(project)
    await copy.commit()
    const result = await copy.run(['push', 'origin', refspec])
    expect([result.status, told(result)]).toEqual([
      1,
      {
        remote: [`GitLab: ${text}`],
        rejected: [
          expect.stringMatching(/^ ! \[remote rejected\] .* \(pre-receive hook declined\)$/),
        ],
      },
    ])
    expect(await world.refs(project)).toEqual(before)
    expect(world.leftovers(project)).toEqual([])
  })

  it('names the lines of CODEOWNERS whose owners have to approve', async () => {
    const project = await world.newProject({
      files: { a: 'a', CODEOWNERS: `/docs/ @${world.users.owner.username}\n/a @nobody\n` },
    })
    const owner = world.as('owner')
    const protection = `/projects/${project.id}/protected_branches/main`
    await owner.patch(protection, { code_owner_approval_required: true })
    const copy = await world.clone(project, { as: 'owner' })
    const push = async (refspec = 'HEAD:main') => {
      const result = await copy.run(['push', 'origin', refspec])
      return [result.status, told(result).remote]
    }
    await copy.commit({ free: 'x' })
    expect(await push()).toEqual([0, []])
    await copy.commit({ 'docs/x/y.md': 'y' })
    const refused = [
      1,
      [
        'GitLab: Pushes to protected branches that contain changes to files that',
        'match patterns defined in `CODEOWNERS` are disabled for',
        'this project. Please submit these changes via a merge request.',
        '',
        'The following pattern(s) from `CODEOWNERS` were matched:',
        ' - /docs/',
      ],
    ]
    expect(await push()).toEqual(refused)
    // Whoever takes the line away changes what is owned all the same.
    await copy.commit({ CODEOWNERS: '' })
    expect(await push()).toEqual(refused)
    expect((await push('HEAD:topic'))[0]).toBe(0)
    const user_id = world.users.owner.id
    await owner.patch(protection, { allowed_to_push: [{ user_id }] })
    expect((await push())[0]).toBe(0)
    expect(world.leftovers(project)).toEqual([])
  })

  it('asks once what a push changes that code owners have to approve', async () => {
    const project = await world.newProject({ files: { a: 'a', CODEOWNERS: '/docs/ @nobody\n' } })
    const copy = await world.clone(project, { as: 'owner' })
    const { spawner } = world.app.git.git
    const countProcesses = async () => {
      await copy.commit()
      const before = spawner.spawned
      await copy.must(['push', 'origin', 'HEAD:main'])
      return spawner.spawned - before
    }
    await countProcesses()
    const without = await countProcesses()
    const protection = `/projects/${project.id}/protected_branches/main`
    await world.as('owner').patch(protection, { code_owner_approval_required: true })
    // The first push also starts the program that reads the file.
    await countProcesses()
    expect(await countProcesses()).toBe(without + 1)
  })

  it('says that the repository is larger than the server allows', async () => {
    const { project, copy } = await open('owner')
    const { db, config } = world.app
    const counted = { commit_count: 1, readme_commit: null, readme_path: null }
    const hold = (repository_size: number, { id } = project) =>
      upsertProjectStatistics(db, {
        ...{ project_id: id, ...counted, repository_size },
        updated_at: '2026-01-01T00:00:00.000Z',
      })
    // What others hold is no matter.
    const full = await world.newProject()
    await hold(config.sizeLimits.repository + 1, full)
    await hold(config.sizeLimits.repository)
    await copy.commit()
    expect((await copy.run(['push', 'origin', 'HEAD:main'])).status).toBe(0)
    await hold(config.sizeLimits.repository + 1)
    await copy.commit()
    const result = await copy.run(['push', 'origin', 'HEAD:main'])
    expect([result.status, told(result).remote]).toEqual([
      1,
      [`GitLab: ${refusalTexts.repositoryFull}`],
    ])
  })

  it('says that it moves too many protected branches', async () => {
    const { project, copy } = await open('owner')
    const most = limits.push_protected_moves_max
    const commits: string[] = []
    while ((commits.length * (commits.length - 1)) / 2 <= most) commits.push(await copy.commit())
    // Each is a move of its own from an older commit to a newer one.
    const moves = commits
      .flatMap((to, at) => commits.slice(0, at).map((from) => ({ from, to })))
      .map((move, at) => ({ ...move, ref: `refs/heads/many-${at}` }))
    const push = (by: string, list: typeof moves, end: 'from' | 'to') =>
      copy.run(['push', '--quiet', by, ...list.map((move) => `${move[end]}:${move.ref}`)])
    expect((await push(world.remote(project, 'admin'), moves, 'from')).status).toBe(0)
    await protect(project, 'many-*')
    const before = await world.refs(project)
    const result = await push('origin', moves.slice(0, most + 1), 'to')
    expect([result.status, told(result).remote]).toEqual([
      1,
      [`GitLab: ${refusalTexts.tooManyMoves}`],
    ])
    expect(await world.refs(project)).toEqual(before)
    expect((await push('origin', moves.slice(0, most), 'to')).status).toBe(0)
  })

  it('is refused as a whole', async () => {
    const { project, copy } = await open('developer')
    const before = await world.refs(project)
    await copy.commit()
    const result = await copy.run(['push', 'origin', 'HEAD:free', 'HEAD:main'])
    expect(told(result)).toEqual({
      remote: [`GitLab: ${noPush}`],
      rejected: [
        ' ! [remote rejected] HEAD -> free (pre-receive hook declined)',
        ' ! [remote rejected] HEAD -> main (pre-receive hook declined)',
      ],
    })
    expect(await world.refs(project)).toEqual(before)
  })

  it.each([
    ['owner', `HEAD:refs/heads/${hex}`, noHex],
    ['owner', ':main', noDefaultDelete],
    ['developer', '+HEAD~2:refs/tags/v1', protectedTagRefusalTexts.change],
  ] as const)(
    'of the %s is refused for %s, whatever comes before it',
    async (as, refspec, text) => {
      const { project, copy } = await open(as)
      const start = await copy.must(['rev-parse', 'HEAD'])
      const tag = `${start}:refs/tags/v1`
      await copy.must(['push', '--quiet', world.remote(project, 'admin'), tag])
      const before = await world.refs(project)
      await copy.commit()
      const result = await copy.run(['push', 'origin', 'HEAD:refs/heads/0-free', refspec])
      expect([result.status, told(result).remote]).toEqual([1, [`GitLab: ${text}`]])
      expect(await world.refs(project)).toEqual(before)
    },
  )

  it('tells a Developer who may begin an empty repository', async () => {
    const project = await world.newProject({ branch: 'trunk' })
    const copy = await world.begin(project, 'developer')
    await copy.commit()
    const result = await copy.run(['push', 'origin', 'HEAD:trunk'])
    expect(told(result)).toEqual({
      remote: [
        `GitLab: A default branch (e.g. trunk) does not yet exist for ${project.full_path}`,
        'Ask a project Owner or Maintainer to create a default branch:',
        '',
        `  ${world.url}/${project.full_path}/-/project_members`,
        '',
      ],
      rejected: [' ! [remote rejected] HEAD -> trunk (pre-receive hook declined)'],
    })
    expect(await world.refs(project)).toEqual({})
  })

  it('names the reference that is hidden, ill-named or in the way', async () => {
    const { project, copy } = await open('owner')
    const cases: [string, string][] = [
      ['refs/keep-around/x', 'deny updating a hidden ref'],
      ['refs/pipelines/1', 'deny updating a hidden ref'],
      ['refs/merge-requests/1/head', 'deny updating a hidden ref'],
      ['refs/environments/x', 'deny updating a hidden ref'],
      ['refs/heads/main/below', 'failed to update ref'],
    ]
    for (const [ref, reason] of cases) {
      const result = await copy.run(['push', 'origin', `HEAD:${ref}`])
      expect([ref, told(result).rejected[0]]).toEqual([ref, expect.stringContaining(`(${reason})`)])
    }
    expect(Object.keys(await world.refs(project))).toEqual(['refs/heads/main'])
  })

  it('cannot put anything but a commit on a branch', async () => {
    const { project, copy } = await open('owner')
    const blob = await copy.must(['rev-parse', 'HEAD:a'])
    for (const branch of ['main', 'new']) {
      const result = await copy.run(['push', '--force', 'origin', `${blob}:refs/heads/${branch}`])
      expect(result.status).toBe(1)
    }
    expect(Object.keys(await world.refs(project))).toEqual(['refs/heads/main'])
  })
})

describe('an accepted push', () => {
  it.each([
    ['developer', 'HEAD:free', {}],
    ['developer', '+HEAD~2:free', {}],
    ['developer', ':free', {}],
    ['developer', 'HEAD:keep', { rule: { push: 30 } }],
    ['developer', 'HEAD:stable-9', { wildcard: { push: 30 } }],
    ['developer', 'HEAD~1:refs/tags/new', {}],
    ['maintainer', '+HEAD~2:refs/tags/v1', {}],
    ['developer', 'HEAD:refs/tags/new', { tags: 30 }],
    ['developer', ':refs/tags/v1', {}],
    ['developer', 'HEAD:refs/notes/x', { tags: 40 }],
    ['developer', '+HEAD~2:refs/notes/y', { tags: 40 }],
    ['maintainer', 'HEAD:main', {}],
    ['maintainer', '+HEAD~2:keep', { rule: { force: true } }],
    ['maintainer', '+HEAD~2:keep', { further: { force: true } }],
    ['admin', 'HEAD:keep', { rule: { push: 0 } }],
  ] as const)(
    'of the %s, %s, is told nothing but where to propose it',
    async (as, refspec, rules) => {
      const { project, copy } = await open(as)
      const start = await copy.must(['rev-parse', 'HEAD'])
      const refs = ['refs/heads/keep', 'refs/heads/free', 'refs/tags/v1', 'refs/notes/y']
      const set = refs.map((ref) => `${start}:${ref}`)
      await copy.must(['push', '--quiet', world.remote(project, 'admin'), ...set])
      await protect(project, 'keep', 'rule' in rules ? rules.rule : {})
      if ('further' in rules) await protect(project, 'ke*', rules.further)
      if ('wildcard' in rules) await protect(project, 'stable-*', rules.wildcard)
      if ('tags' in rules) await protectTags(project, rules.tags)
      await copy.commit()
      const result = await copy.run(['push', 'origin', refspec])
      const { remote, rejected } = told(result)
      const words = remote.filter((line) => !/^(To create a merge request| {2}http|$)/.test(line))
      expect([result.status, words, rejected]).toEqual([0, [], []])
    },
  )
})

it('removes a branch that has the name of a commit', async () => {
  const { project, copy } = await open('developer')
  const made = ['update-ref', `refs/heads/${hex}`, 'refs/heads/main']
  await runRealGit(made, { cwd: world.repository(project) })
  expect(await world.refs(project)).toHaveProperty(`refs/heads/${hex}`)
  expect((await copy.run(['push', 'origin', `:refs/heads/${hex}`])).status).toBe(0)
  expect(Object.keys(await world.refs(project))).toEqual(['refs/heads/main'])
})

describe('the first push', () => {
  it('makes its branch the default one and protects it', async () => {
    const project = await world.newProject({ branch: 'main' })
    const copy = await world.begin(project)
    await copy.commit()
    await copy.must(['push', 'origin', 'HEAD:develop'])
    const answer = await world.as('owner').get(`/projects/${project.id}`)
    expect(answer.json()).toMatchObject({ default_branch: 'develop', empty_repo: false })
    const rules = await world.app.db
      .selectFrom('protected_branches')
      .innerJoin(
        'protected_branch_access_levels as entry',
        'protected_branch_id',
        'protected_branches.id',
      )
      .select(['name', 'allow_force_push', 'action', 'access_level'])
      .where('project_id', '=', project.id)
      .orderBy('entry.id')
      .execute()
    const rule = { name: 'develop', allow_force_push: false, access_level: 40 }
    expect(
      rules.map((row) => ({ ...row, allow_force_push: Boolean(row.allow_force_push) })),
    ).toEqual(['push', 'merge', 'unprotect'].map((action) => ({ ...rule, action })))
    const { stdout } = await copy.run(['ls-remote', '--symref', 'origin', 'HEAD'])
    expect(stdout).toContain('ref: refs/heads/develop\tHEAD')
  })

  it.each([
    ['developer', 0, []],
    ['developer', 1, ['push 30', 'merge 40', 'unprotect 40']],
    ['maintainer', 2, ['push 40', 'merge 40', 'unprotect 40']],
    ['maintainer', 3, ['push 40', 'merge 30', 'unprotect 40']],
    ['developer', 4, ['push 40', 'merge 40', 'unprotect 40']],
  ] as const)(
    'is for a %s and protected as the group says by %i',
    async (lowest, said, entries) => {
      const group = await world.newMemberedGroup()
      await world.app.db
        .updateTable('namespaces')
        .set({ default_branch_protection: said })
        .where('id', '=', group.id)
        .execute()
      const project = await world.newProject({ group, branch: 'main' })
      const copy = await world.begin(project, 'developer')
      await copy.commit()
      const { status } = await copy.run(['push', 'origin', 'HEAD:main'])
      expect(status).toBe(lowest === 'developer' ? 0 : 1)
      if (status !== 0) await copy.must(['push', world.remote(project, 'maintainer'), 'HEAD:main'])
      const rows = await world.app.db
        .selectFrom('protected_branches')
        .innerJoin(
          'protected_branch_access_levels as entry',
          'protected_branch_id',
          'protected_branches.id',
        )
        .select(['action', 'access_level'])
        .where('project_id', '=', project.id)
        .orderBy('entry.id')
        .execute()
      expect(rows.map(({ action, access_level }) => `${action} ${access_level}`)).toEqual(entries)
    },
  )

  it('prefers the branch the project names', async () => {
    const project = await world.newProject({ branch: 'main' })
    const copy = await world.begin(project)
    await copy.commit()
    await copy.must(['push', 'origin', 'HEAD:a', 'HEAD:main', 'HEAD:z'])
    const answer = await world.as('owner').get(`/projects/${project.id}`)
    expect(answer.json().default_branch).toBe('main')
  })

  it('of a tag alone decides nothing', async () => {
    const project = await world.newProject({ branch: 'main' })
    const copy = await world.begin(project, 'developer')
    await copy.commit()
    await copy.must(['push', 'origin', 'HEAD:refs/tags/v1'])
    expect(Object.keys(await world.refs(project))).toEqual(['refs/tags/v1'])
    const answer = await world.as('owner').get(`/projects/${project.id}`)
    expect(answer.json().empty_repo).toBe(true)
  })
})
