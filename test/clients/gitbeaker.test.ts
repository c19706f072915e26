// A published client library, unchanged, against the listening server.
import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rootToken, startApp, type TestApp } from '../kit/app.ts'

let app: TestApp
let api: InstanceType<typeof Gitlab>
beforeAll(async () => {
  app = await startApp()
  const host = await app.server.listen({ host: '127.0.0.1', port: 0 })
  api = new Gitlab({ host, token: rootToken })
})
afterAll(() => app.close())

it('signs in and reads the version', async () => {
  expect(await api.Users.showCurrentUser()).toMatchObject({ username: 'root', is_admin: true })
  expect(await api.Metadata.show()).toMatchObject({ version: '15.0.0-ee' })
})

it('makes a project and works with its files', async () => {
  const project = await api.Projects.create({ name: 'Client made', initializeWithReadme: true })
  expect(project).toMatchObject({ path: 'client-made', default_branch: 'main' })
  const { id } = project
  const made = await api.RepositoryFiles.create(id, 'dir/a file.txt', 'main', 'hello\n', 'Add it')
  expect(made).toEqual({ file_path: 'dir/a file.txt', branch: 'main' })
  const shown = await api.RepositoryFiles.show(id, 'dir/a file.txt', 'main')
  expect(Buffer.from(shown.content, 'base64').toString()).toBe('hello\n')
  await api.RepositoryFiles.edit(id, 'dir/a file.txt', 'main', 'changed\n', 'Change it')
  const blame = await api.RepositoryFiles.allFileBlames(id, 'dir/a file.txt', 'main')
  expect(blame).toMatchObject([{ commit: { message: 'Change it' }, lines: ['changed'] }])
  const commit = await api.Commits.create(id, 'main', 'Several', [
    { action: 'create', filePath: 'b', content: 'b' },
    { action: 'delete', filePath: 'dir/a file.txt' },
  ])
  expect(commit).toMatchObject({
    title: 'Several',
    stats: { additions: 1, deletions: 1, total: 2 },
  })
  await api.RepositoryFiles.remove(id, 'b', 'main', 'Remove it')
  await expect(api.RepositoryFiles.show(id, 'b', 'main')).rejects.toThrow('404 File Not Found')
  await api.Projects.edit('root/client-made', { description: 'edited' })
  expect(await api.Projects.show('root/client-made')).toMatchObject({ description: 'edited' })
  await api.Projects.remove(id)
  await expect(api.Projects.show(id)).rejects.toThrow('404 Project Not Found')
})

it('reads a repository by everything but its files', async () => {
  const { id } = await api.Projects.create({ name: 'Client read' })
  const actions = Array.from({ length: 5 }, (_, at) => ({
    action: 'create' as const,
    filePath: `src/file ${at}.ts`,
    content: `${at}`,
  }))
  const commit = await api.Commits.create(id, 'main', 'Begin', actions)
  const tag = await api.Tags.create(id, 'v1/0', 'main', { message: 'First' })
  expect(tag).toMatchObject({ name: 'v1/0', message: 'First', commit: { id: commit.id } })
  expect(await api.Tags.show(id, 'v1/0')).toEqual(tag)
  expect(await api.Tags.all(id)).toEqual([tag])
  const tree = await api.Repositories.allRepositoryTrees(id, { recursive: true, perPage: 2 })
  expect(tree.map(({ path }) => path)).toEqual(['src', ...actions.map(({ filePath }) => filePath)])
  const blob = await api.Repositories.showBlob(id, tree[1]?.id ?? '')
  expect(blob).toMatchObject({ size: 1, encoding: 'base64', content: 'MA==' })
  await api.Commits.create(id, 'main', 'Go on', [
    { action: 'create', filePath: 'b.css', content: 'b' },
  ])
  const compared = await api.Repositories.compare(id, 'v1/0', 'main')
  expect(compared.commits).toMatchObject([{ title: 'Go on' }])
  expect(await api.Repositories.mergeBase(id, ['main', 'v1/0'])).toMatchObject({ id: commit.id })
  expect(await api.Repositories.allContributors(id)).toMatchObject([{ commits: 2 }])
  const archive = await api.Repositories.showArchive(id, { fileType: 'zip' })
  expect(await archive.slice(0, 2).text()).toBe('PK')
  expect(await api.Projects.showLanguages(id)).toEqual({ TypeScript: 83.33, CSS: 16.67 })
  await api.Tags.remove(id, 'v1/0')
  await expect(api.Tags.show(id, 'v1/0')).rejects.toThrow('404 Tag Not Found')
})

it('makes a user with a token, and groups with members', async () => {
  const user = await api.Users.create({
    email: 'new@client.test',
    username: 'new-one',
    name: 'New One',
    password: 'long enough',
  })
  const group = await api.Groups.create('Client Group', 'client-group')
  const sub = await api.Groups.create('Sub', 'sub', { parentId: group.id })
  expect(sub).toMatchObject({ full_path: 'client-group/sub', parent_id: group.id })
  const member = await api.GroupMembers.add(group.id, 30, { userId: user.id })
  expect(member).toMatchObject({ id: user.id, access_level: 30 })
  const inherited = await api.GroupMembers.all(sub.id, { includeInherited: true })
  expect(inherited.map(({ username }) => username).sort()).toEqual(['new-one', 'root'])
  expect(await api.Groups.allSubgroups(group.id)).toMatchObject([{ id: sub.id }])
  const namespaces = await api.Namespaces.all()
  expect(namespaces.map(({ full_path }) => full_path)).toContain('client-group/sub')
})

it('walks the pages of a list', async () => {
  for (let index = 0; index < 5; index++) {
    await api.Groups.create(`Paged ${index}`, `paged-${index}`)
  }
  const all = await api.Groups.all({ perPage: 2, search: 'paged' })
  expect(all.length).toBe(5)
  const { data, paginationInfo } = await api.Groups.all({
    perPage: 2,
    maxPages: 1,
    search: 'paged',
    showExpanded: true,
  })
  expect(data.length).toBe(2)
  expect(paginationInfo).toMatchObject({ total: 5, totalPages: 3, next: 2, current: 1, perPage: 2 })
})
