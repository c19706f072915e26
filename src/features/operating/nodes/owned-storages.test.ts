// Servers that have storages on disks of their own: each answers for all, by sending requests on to the one with the disk.
import { readdirSync } from 'node:fs'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { createDatabase } from '../../../../test/kit/database.ts'
import { atFileEnd } from '../../../../test/kit/file-end.ts'
import { newFolder, runRealGit } from '../../../../test/kit/git.ts'
import { type Server, startServer } from '../../../../test/kit/server.ts'
import { freePort } from '../../../../tools/server-process.ts'

type Owners = { first: Server; second: Server; neither: Server; place: Record<string, string> }

/** Two servers with a storage each, and one with none, on one database. */
async function startOwners(): Promise<Owners> {
  const database = await createDatabase(inject('postgresUrl'))
  const place = { BLOOMERY_DATABASE_URL: database.url, BLOOMERY_DATA: newFolder() }
  const folders = { first: newFolder(), second: newFolder() }
  const startOwner = async (own: 'first' | 'second' | 'neither') => {
    const port = await freePort()
    const pathOf = (name: 'first' | 'second') => (name === own ? folders[name] : null)
    return startServer({
      ...place,
      BLOOMERY_PORT: String(port),
      BLOOMERY_NODE_URL: `http://127.0.0.1:${port}`,
      BLOOMERY_STORAGES: JSON.stringify({
        first: { path: pathOf('first') },
        second: { path: pathOf('second') },
      }),
    })
  }
  const first = await startOwner('first')
  const second = await startOwner('second')
  const neither = await startOwner('neither')
  atFileEnd(database.drop)
  return { first, second, neither, place }
}

type Project = { id: number; repository_storage: string; empty_repo: boolean }

async function createProject(server: Server, name: string, storage: string): Promise<Project> {
  return server.ask<Project>('POST /projects', { name, repository_storage: storage })
}

/** An answer without the address of the server that was asked. */
async function read(server: Server, route: string): Promise<string> {
  return JSON.stringify(await server.ask<object>(route)).replaceAll(server.url, '')
}

if (process.env.TEST_DB === 'postgres') {
  describe('storages on the disks of several servers', { timeout: 120_000 }, () => {
    let owners: Owners
    beforeAll(async () => {
      owners = await startOwners()
      const { first } = owners
      // Each has looked who else runs.
      await vi.waitFor(async () => {
        for (const server of [owners.first, owners.second, owners.neither]) {
          const nodes = await server.ask<{ storages: string[] }[]>('GET /admin/nodes')
          expect(nodes.map(({ storages }) => storages)).toEqual([['first'], ['second'], []])
        }
      }, 30_000)
      await first.ask('GET /user')
    })

    it('are made where the storage is, whoever is asked', async () => {
      const { first, neither } = owners
      await createProject(first, 'here', 'first')
      await createProject(first, 'there', 'second')
      await createProject(neither, 'from-neither', 'first')
      const [any] = [await neither.ask<Project>('POST /projects', { name: 'anywhere' })]
      expect(['first', 'second']).toContain(any?.repository_storage)
    })

    it('take commits and answer reads of any server alike', async () => {
      const { first, second, neither } = owners
      const { id } = await createProject(first, 'read', 'second')
      const files = `/projects/${id}/repository/files`
      await neither.ask(`POST ${files}/README.md`, {
        branch: 'main',
        content: 'Hello',
        commit_message: 'Begin',
      })
      for (const path of [
        `/projects/${id}`,
        `/projects/${id}/repository/commits`,
        `/projects/${id}/repository/tree`,
        `${files}/README.md?ref=main`,
        `/projects?search=read`,
      ]) {
        const [a, b, c] = await Promise.all(
          [first, second, neither].map((server) => read(server, `GET ${path}`)),
        )
        expect(a).toBe(b)
        expect(c).toBe(b)
      }
    })

    it('are cloned from and pushed to by any server', async () => {
      const { first, neither } = owners
      await createProject(first, 'git', 'second')
      for (const [at, server] of [first, neither].entries()) {
        const { host } = new URL(server.url)
        const folder = `${newFolder()}/clone`
        const url = `http://root:${server.root.token}@${host}/root/git.git`
        await runRealGit('/', ['clone', '--quiet', url, folder])
        await runRealGit(folder, ['checkout', '-q', '-B', 'main'])
        await runRealGit(folder, ['commit', '-q', '--allow-empty', '-m', `Commit ${at}`])
        await runRealGit(folder, ['push', '-q', 'origin', 'main'])
      }
      const commits = await neither.ask<{ title: string }[]>(
        'GET /projects/root%2Fgit/repository/commits',
      )
      expect(commits.map(({ title }) => title)).toEqual(['Commit 1', 'Commit 0'])
    })
  })
}
void readdirSync
