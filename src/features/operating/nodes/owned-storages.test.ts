// Servers that have storages on disks of their own: each answers for all, by sending requests on to the one with the disk.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { createDatabase } from '../../../../test/kit/database.ts'
import { newFolder, runRealGit } from '../../../../test/kit/git.ts'
import { type Server, startServer } from '../../../../test/kit/server.ts'
import { newKeyPair } from '../../../../test/kit/ssh-key.ts'
import {
  commit,
  encoded,
  fork,
  type Owners,
  type OwnedProject as Project,
  source,
  startOwners,
} from '../../../../test/kit/storage-owners.ts'
import { signFacts } from '../../../forwarding/signed-facts.ts'
import { findRepository } from '../../../subjects/storage.ts'

type Request = { iid: number; state: string; detailed_merge_status: string; changes_count: string }

/** The answer to a request as root, whatever its status. */
async function send(
  server: Server,
  route: string,
  body?: object,
): Promise<{ status: number; text: string; headers: Headers }> {
  const [method = '', path = ''] = route.split(' ')
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'private-token': server.root.token, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  const { host, hostname } = new URL(server.url)
  const text = (await response.text())
    .replaceAll(host, 'host')
    .replaceAll(new RegExp(`ssh://git@${hostname}:\\d+`, 'g'), 'ssh://host')
  return { status: response.status, text, headers: response.headers }
}

const isRepository = (path: string | Buffer) => String(path).endsWith('.git')

if (process.env.TEST_DB === 'postgres') {
  describe('storages on the disks of several servers', { timeout: 120_000 }, () => {
    let owners: Owners
    beforeAll(async () => {
      owners = await startOwners()
    }, 120_000)

    const newProject = (server: Server, name: string, repository_storage?: string) =>
      server.ask<Project>('POST /projects', { name, repository_storage })

    it('are shown with the servers that have them', async () => {
      const nodes =
        await owners.neither.ask<{ url: string; storages: string[] }[]>('GET /admin/nodes')
      expect(nodes.map(({ url, storages }) => [url, storages])).toEqual([
        [owners.first.url, ['first']],
        [owners.second.url, ['second']],
        [owners.neither.url, []],
      ])
    })

    it('get new projects by whichever server is asked', async () => {
      const { first, neither, folders } = owners
      const count = (name: 'first' | 'second') =>
        readdirSync(folders[name], { recursive: true }).filter(isRepository).length
      const before = { first: count('first'), second: count('second') }
      await newProject(first, 'here', 'first')
      await newProject(first, 'there', 'second')
      await newProject(neither, 'from-neither', 'first')
      expect(count('first') - before.first).toBe(2)
      expect(count('second') - before.second).toBe(1)
      const any = await newProject(neither, 'anywhere')
      expect(['first', 'second']).toContain(any.repository_storage)
      const refused = await send(neither, 'POST /api/v4/projects', {
        name: 'nowhere',
        repository_storage: 'third',
      })
      expect([refused.status, JSON.parse(refused.text)]).toEqual([
        400,
        { message: { repository_storage: ['is not included in the list'] } },
      ])
    })

    it('get new projects also where none has any weight', async () => {
      const { neither } = owners
      const setWeights = (weight: number) =>
        neither.ask('PUT /application/settings', {
          repository_storages_weighted: { first: weight, second: weight },
        })
      await setWeights(0)
      const made = await newProject(neither, 'weightless')
      await setWeights(100)
      expect(made.repository_storage).toBe('first')
    })

    it('are read and written alike by every server', async () => {
      const { first, second, neither } = owners
      const { id } = await newProject(first, 'read', 'second')
      await commit(neither, 'root/read', 'main', 'README.md')
      await commit(first, 'root/read', 'topic', 'a.txt')
      await neither.ask(`POST /projects/${id}/wikis`, { title: 'Home', content: 'Welcome' })
      const { iid } = await neither.ask<Request>(`POST /projects/${id}/merge_requests`, {
        ...{ source_branch: 'topic', target_branch: 'main', title: 'Topic' },
      })
      const api = `/api/v4/projects/${id}`
      for (const path of [
        api,
        `${api}/repository/commits`,
        `${api}/repository/tree`,
        `${api}/repository/files/README.md?ref=main`,
        `${api}/repository/files/missing?ref=main`,
        `${api}/repository/archive.tar.gz`,
        `${api}/repository/compare?from=main&to=topic`,
        `${api}/merge_requests/${iid}`,
        `${api}/merge_requests/${iid}/changes`,
        `${api}/wikis?with_content=1`,
        `${api}/issues`,
        '/api/v4/projects?order_by=id',
        '/root/read/-/raw/main/README.md',
        '/root/read/-/archive/main/read-main.zip',
      ]) {
        const [a, b, c] = await Promise.all(
          [first, second, neither].map((server) => send(server, `GET ${path}`)),
        )
        expect([path, a?.status, a?.text]).toEqual([path, b?.status, b?.text])
        expect([path, c?.status, c?.text]).toEqual([path, b?.status, b?.text])
      }
      const merged = await neither.ask<Request>(`PUT /projects/${id}/merge_requests/${iid}/merge`)
      expect(merged.state).toBe('merged')
    })

    it('are cloned from and pushed to over HTTP', async () => {
      const { first, second, neither } = owners
      await newProject(first, 'git', 'second')
      for (const [at, server] of [first, second, neither].entries()) {
        const cwd = newFolder()
        const url = `http://root:${server.root.token}@${new URL(server.url).host}/root/git.git`
        for (const args of [
          ['clone', '--quiet', url, '.'],
          ['commit', '-q', '--allow-empty', '-m', `Commit ${at}`],
          ['push', '-q', 'origin', 'HEAD:main'],
        ]) {
          const result = await runRealGit(args, { cwd })
          expect([args[0], result.stderr, result.status]).toEqual([args[0], expect.anything(), 0])
        }
      }
      const commits = await neither.ask<{ title: string }[]>(
        `GET ${encoded('root/git')}/repository/commits`,
      )
      expect(commits.map(({ title }) => title)).toEqual(['Commit 2', 'Commit 1', 'Commit 0'])
    })

    it('are cloned from and pushed to over SSH', async () => {
      const { first, neither } = owners
      const key = newKeyPair()
      await first.ask('POST /user/keys', { title: 'k', key: key.public })
      await newProject(first, 'ssh', 'second')
      const env = {
        GIT_SSH_COMMAND: `'${process.execPath}' '${join(process.cwd(), 'test/kit/ssh-client.ts')}'`,
        GIT_SSH_VARIANT: 'ssh',
        TEST_SSH_KEYS: JSON.stringify([key.private]),
      }
      for (const [at, server] of [first, neither].entries()) {
        const cwd = newFolder()
        const url = `ssh://git@127.0.0.1:${server.sshPort}/root/ssh.git`
        for (const args of [
          ['clone', '--quiet', url, '.'],
          ['commit', '-q', '--allow-empty', '-m', `Commit ${at}`],
          ['push', 'origin', 'HEAD:main'],
        ]) {
          const result = await runRealGit(args, { cwd, env })
          expect([args[0], result.stderr, result.status]).toEqual([args[0], expect.anything(), 0])
        }
      }
      const missing = await runRealGit(
        ['ls-remote', `ssh://git@127.0.0.1:${neither.sshPort}/root/missing.git`],
        { env },
      )
      expect(missing.stderr).toContain('could not be found')
      const commits = await neither.ask<{ title: string }[]>(
        `GET ${encoded('root/ssh')}/repository/commits`,
      )
      expect(commits.map(({ title }) => title)).toEqual(['Commit 1', 'Commit 0'])
    })

    it('are compared, and merge requests go between them', async () => {
      const { first, neither } = owners
      await commit(neither, fork, 'topic', 'from-the-fork.txt')
      const target = await neither.ask<Project>(`GET ${encoded(source)}`)
      const own = await neither.ask<Project>(`GET ${encoded(fork)}`)
      expect([target.repository_storage, own.repository_storage]).toEqual(['first', 'second'])
      const compared = await neither.ask<{ commits: { title: string }[] }>(
        `GET /projects/${own.id}/repository/compare?from=main&to=topic&from_project_id=${target.id}`,
      )
      expect(compared.commits.map(({ title }) => title)).toEqual(['Add from-the-fork.txt'])
      const made = await neither.ask<Request>(`POST /projects/${own.id}/merge_requests`, {
        ...{ source_branch: 'topic', target_branch: 'main', title: 'From the fork' },
        ...{ target_project_id: target.id, remove_source_branch: true },
      })
      const route = `/projects/${target.id}/merge_requests/${made.iid}`
      const changes = await first.ask<{ changes: { new_path: string }[] }>(`GET ${route}/changes`)
      expect(changes.changes.map(({ new_path }) => new_path)).toEqual(['from-the-fork.txt'])
      // What is pushed to the fork becomes a version of the request in the other repository.
      await neither.ask(`POST /projects/${own.id}/repository/files/more.txt`, {
        ...{ branch: 'topic', content: 'more', commit_message: 'Add more' },
      })
      await vi.waitFor(async () => {
        const versions = await neither.ask<object[]>(`GET ${route}/versions`)
        expect(versions).toHaveLength(2)
      }, 20_000)
      await vi.waitFor(async () => {
        const shown = await neither.ask<Request>(`GET ${route}`)
        expect(shown.detailed_merge_status).toBe('mergeable')
      }, 20_000)
      const merged = await neither.ask<Request>(`PUT ${route}/merge`, {
        should_remove_source_branch: true,
      })
      expect(merged.state).toBe('merged')
      await vi.waitFor(async () => {
        const branches = await neither.ask<{ name: string }[]>(
          `GET /projects/${own.id}/repository/branches`,
        )
        expect(branches.map(({ name }) => name)).toEqual(['main'])
      }, 20_000)
    })

    it('are compared by many at once, also after a fetch that was killed', async () => {
      const { neither, place } = owners
      const [target, own] = await Promise.all(
        [source, fork].map((path) => neither.ask<Project>(`GET ${encoded(path)}`)),
      )
      const route = `GET /projects/${target?.id}/repository/compare?from=main&to=many&from_project_id=${own?.id}`
      const compare = async () => {
        const answers = await Promise.all(
          Array.from({ length: 8 }, () => send(neither, route.replace('/', '/api/v4/'))),
        )
        return answers.map(({ status }) => status)
      }
      await commit(neither, source, 'many', 'one.txt')
      await commit(neither, fork, 'many-1', 'one.txt')
      expect(await compare()).toEqual(Array(8).fill(200))
      const mirror = readdirSync(join(place.BLOOMERY_DATA ?? '', 'cache/mirrors'), {
        recursive: true,
        encoding: 'utf8',
      }).find((path) => path.startsWith('second') && isRepository(path))
      // As git leaves it that is killed; nothing runs that could hold it.
      const lock = join(
        place.BLOOMERY_DATA ?? '',
        'cache/mirrors',
        mirror ?? '',
        'refs/heads/many-2.lock',
      )
      writeFileSync(lock, '')
      utimesSync(lock, 0, 0)
      await commit(neither, fork, 'many-2', 'two.txt')
      expect(await compare()).toEqual(Array(8).fill(200))
    })

    it('have their jobs handed out by every server', async () => {
      const { first, neither } = owners
      const { id } = await newProject(first, 'jobs', 'second')
      const runner = await neither.ask<{ token: string }>('POST /user/runners', {
        ...{ runner_type: 'project_type', project_id: id, run_untagged: true },
      })
      await neither.ask(`POST /projects/${id}/repository/files/.gitlab-ci.yml`, {
        ...{ branch: 'main', commit_message: 'Add jobs' },
        content:
          'build: { script: [make], cache: { key: { files: [.gitlab-ci.yml] }, paths: [o] } }',
      })
      await vi.waitFor(async () => {
        const answer = await send(neither, 'POST /api/v4/jobs/request', { token: runner.token })
        expect(answer.status).toBe(201)
        const job = JSON.parse(answer.text)
        expect(job.job_info).toMatchObject({ name: 'build', project_id: id })
        expect(job.cache[0].key).toMatch(/^[0-9a-f]{40}-/)
      }, 20_000)
      const jobs = await first.ask<{ commit: { title: string } }[]>(`GET /projects/${id}/jobs`)
      expect(jobs.map((job) => job.commit.title)).toEqual(['Add jobs'])
    })

    it('are listed with the state of their merge requests', async () => {
      const { first, second, neither } = owners
      const { id } = await newProject(first, 'listed', 'second')
      await commit(first, 'root/listed', 'main', 'README.md')
      await commit(first, 'root/listed', 'topic', 'a.txt')
      const { iid } = await first.ask<Request>(`POST /projects/${id}/merge_requests`, {
        ...{ source_branch: 'topic', target_branch: 'main', title: 'Listed' },
      })
      await vi.waitFor(async () => {
        const shown = await second.ask<Request>(`GET /projects/${id}/merge_requests/${iid}`)
        expect(shown.detailed_merge_status).toBe('mergeable')
      }, 20_000)
      for (const route of [
        `GET /projects/${id}/merge_requests`,
        'GET /merge_requests?scope=all&search=Listed',
      ]) {
        const lists = await Promise.all(
          [first, second, neither].map((one) => one.ask<Request[]>(route)),
        )
        for (const list of lists) {
          expect(list.map(({ detailed_merge_status: status }) => status)).toEqual(['mergeable'])
        }
      }
    })

    it('move from one server to another, with all that is in their repositories', async () => {
      const { first, second, neither, folders } = owners
      const { id } = await newProject(first, 'moves', 'second')
      await commit(neither, 'root/moves', 'main', 'README.md')
      await commit(neither, 'root/moves', 'topic', 'a.txt')
      const { iid } = await neither.ask<Request>(`POST /projects/${id}/merge_requests`, {
        ...{ source_branch: 'topic', target_branch: 'main', title: 'Topic' },
      })
      await vi.waitFor(async () => {
        const shown = await neither.ask<Request>(`GET /projects/${id}/merge_requests/${iid}`)
        expect(shown.detailed_merge_status).toBe('mergeable')
      }, 20_000)
      // A commit that no branch leads to any more.
      await commit(neither, 'root/moves', 'lost', 'lost.txt')
      const lost = await neither.ask<{ commit: { id: string } }>(
        `GET /projects/${id}/repository/branches/lost`,
      )
      await neither.ask(`DELETE /projects/${id}/repository/branches/lost`)
      await neither.ask(`POST /projects/${id}/wikis`, { title: 'Home', content: 'Welcome' })
      const pathOn = (storage: 'first' | 'second') => {
        const places = { [storage]: { path: folders[storage], weight: 100 } }
        const name = { storage, kind: 'project', id } as const
        return findRepository({ storages: places, storagesElsewhere: {} }, name).path
      }
      const refsOf = async (path: string) =>
        (await runRealGit(['--git-dir', path, 'for-each-ref'])).stdout
      const refs = await refsOf(pathOn('second'))
      expect(refs).toContain('refs/merge-requests/')
      const move = await neither.ask<{ id: number; state: string }>(
        `POST /projects/${id}/repository_storage_moves`,
        { destination_storage_name: 'first' },
      )
      expect(move.state).toBe('scheduled')
      await vi.waitFor(async () => {
        const shown = await second.ask<{ state: string }>(
          `GET /project_repository_storage_moves/${move.id}`,
        )
        expect(shown.state).toBe('finished')
      }, 60_000)
      expect(await refsOf(pathOn('first'))).toBe(refs)
      expect([existsSync(pathOn('first')), existsSync(pathOn('second'))]).toEqual([true, false])
      const fsck = await runRealGit(['--git-dir', pathOn('first'), 'fsck', '--full', '--strict'])
      expect([fsck.status, fsck.stderr]).toEqual([0, ''])
      for (const server of [first, second, neither]) {
        const moved = await server.ask<Project>(`GET /projects/${id}`)
        expect(moved.repository_storage).toBe('first')
        const shown = await send(
          server,
          `GET /api/v4/projects/${id}/repository/commits/${lost.commit.id}`,
        )
        expect(shown.status).toBe(200)
        const wiki = await server.ask<{ content: string }>(`GET /projects/${id}/wikis/Home`)
        expect(wiki.content).toBe('Welcome')
      }
      await commit(second, 'root/moves', 'after', 'after.txt')
      const merged = await second.ask<Request>(`PUT /projects/${id}/merge_requests/${iid}/merge`)
      expect(merged.state).toBe('merged')
    })

    it('stay where they are, and writable, when a move fails', async () => {
      const { neither, folders } = owners
      const { id } = await newProject(neither, 'fails', 'second')
      await commit(neither, 'root/fails', 'main', 'README.md')
      const places = { second: { path: folders.second, weight: 100 } }
      const name = { storage: 'second', kind: 'project', id } as const
      const { path } = findRepository({ storages: places, storagesElsewhere: {} }, name)
      // A file of objects that nobody can read.
      const [folder = ''] = readdirSync(join(path, 'objects')).filter((one) => one.length === 2)
      const broken = join(path, 'objects', folder, '0'.repeat(38))
      mkdirSync(broken)
      const move = await neither.ask<{ id: number }>(
        `POST /projects/${id}/repository_storage_moves`,
        {
          destination_storage_name: 'first',
        },
      )
      const shownMove = () =>
        neither.ask<{ state: string; problem: string | null }>(
          `GET /project_repository_storage_moves/${move.id}`,
        )
      await vi.waitFor(async () => expect((await shownMove()).state).toBe('failed'), 60_000)
      expect((await shownMove()).problem).toBe(
        'The server of storage second failed to send the repositories. See its log.',
      )
      rmSync(broken, { recursive: true })
      await commit(neither, 'root/fails', 'topic', 'writable.txt')
      const stays = await neither.ask<Project>(`GET /projects/${id}`)
      expect(stays.repository_storage).toBe('second')
      expect(
        readdirSync(folders.first, { recursive: true, encoding: 'utf8' }).filter((one) =>
          one.includes(basename(path)),
        ),
      ).toEqual([])
    })

    it('are deleted by any server', async () => {
      const { first, neither, folders } = owners
      const { id } = await newProject(first, 'gone', 'second')
      await neither.ask(`POST /projects/${id}/wikis`, { title: 'Home', content: 'Welcome' })
      const place = {
        storages: { second: { path: folders.second, weight: 100 } },
        storagesElsewhere: {},
      }
      const name = { storage: 'second', kind: 'project', id } as const
      const { path } = findRepository(place, name)
      expect(existsSync(path)).toBe(true)
      const count = () =>
        readdirSync(folders.second, { recursive: true }).filter(isRepository).length
      const before = count()
      await neither.ask(`DELETE /projects/${id}`)
      await vi.waitFor(
        () => expect([existsSync(path), count()]).toEqual([false, before - 2]),
        30_000,
      )
    })

    it('are reached by no request that a server has not signed', async () => {
      const { first, second } = owners
      const { id } = await newProject(first, 'closed', 'second')
      const token = { 'private-token': first.root.token }
      const at = (path: string, init: RequestInit = {}) =>
        fetch(`${second.url}${path}`, { ...init, headers: { ...token, ...init.headers } })
      const repository = `/-/nodes/repositories/second/project/${id}.git`
      for (const [path, method] of [
        [`${repository}/info/refs?service=git-upload-pack`, 'GET'],
        [`${repository}/git-upload-pack`, 'POST'],
        ['/-/nodes/requests/describe-repositories', 'POST'],
        ['/-/nodes/requests/freeze-repository', 'POST'],
        ['/-/nodes/downloads/read-object-file', 'POST'],
        ['/-/nodes/downloads/backup-archive', 'POST'],
        ['/-/nodes/ssh-command', 'POST'],
      ] as const) {
        const claims = Buffer.from(JSON.stringify({ at_ms: Date.now(), keyId: 1 })).toString(
          'base64url',
        )
        for (const headers of [
          {},
          { 'bloomery-forwarded': 'a.b' },
          { 'bloomery-forwarded': `${claims}.${claims}` },
        ]) {
          const body = method === 'POST' ? '[]' : undefined
          const answer = await at(path, { method, headers, body })
          expect([path, answer.status]).toEqual([path, 404])
        }
      }
      const secretKey = readFileSync(join(owners.place.BLOOMERY_DATA ?? '', 'secret.key'))
      const url = '/api/v4/user'
      const facts = {
        id: 'x',
        ip: '192.0.2.1',
        protocol: 'http',
        host: 'h',
        hops: 1,
        isCounted: true,
      }
      const signedAt = (ms: number, method = 'GET') =>
        signFacts({ secretKey, clock: () => new Date(ms) }, { method, url, facts })
      const status = async (header: string) =>
        (await at(url, { headers: { 'bloomery-forwarded': header } })).status
      expect(await status(signedAt(Date.now()))).toBe(200)
      expect(await status(signedAt(Date.now() - 61_000))).toBe(403)
      expect(await status(signedAt(Date.now() + 61_000))).toBe(403)
      expect(await status(signedAt(Date.now(), 'POST'))).toBe(403)
      expect(await status('a.b')).toBe(403)
    })

    it('know the address of the client who has reached another server', async () => {
      const { first, neither } = owners
      const { id } = await newProject(first, 'address', 'second')
      const answer = await fetch(`${neither.url}/api/v4/projects/${id}/protected_branches`, {
        method: 'POST',
        headers: {
          'private-token': neither.root.token,
          'x-forwarded-for': '203.0.113.9',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ name: 'stable' }),
      })
      expect(answer.status).toBe(201)
      const events = await first.ask<{ details: { ip_address: string } }[]>(
        `GET /projects/${id}/audit_events`,
      )
      expect(events.map(({ details }) => details.ip_address)).toContain('203.0.113.9')
    })

    it('are told of by lists while their server is away, and everything else goes on', async () => {
      const { first, second, neither } = owners
      const { id } = await newProject(first, 'away', 'second')
      await commit(first, 'root/away', 'main', 'README.md')
      await vi.waitFor(async () => {
        const shown = await first.ask<{ readme_url: string }>(`GET /projects/${id}`)
        expect(shown.readme_url).toMatch(/README.md$/)
      }, 20_000)
      await neither.ask(`POST /projects/${id}/repository/files/.gitlab-ci.yml`, {
        ...{ branch: 'main', commit_message: 'Add a job', content: 'build: { script: [make] }' },
      })
      const runner = await neither.ask<{ token: string }>('POST /user/runners', {
        ...{ runner_type: 'project_type', project_id: id, run_untagged: true },
      })
      const listJobs = () => neither.ask<{ status: string }[]>(`GET /projects/${id}/jobs`)
      await vi.waitFor(
        async () => expect(await listJobs()).toMatchObject([{ status: 'pending' }]),
        {
          timeout: 20_000,
        },
      )
      await second.stop('SIGKILL')
      const job = await send(neither, 'POST /api/v4/jobs/request', { token: runner.token })
      expect(job.status).toBe(204)
      const pending = await first.ask<object[]>('GET /admin/jobs?scope=pending')
      expect(pending).toMatchObject([{ status: 'pending', commit: null }])
      const read = await send(neither, `GET /api/v4/projects/${id}/repository/tree`)
      expect([read.status, JSON.parse(read.text), read.headers.get('retry-after')]).toEqual([
        503,
        {
          message:
            '503 Service Unavailable - The server that stores the repository cannot be reached. Please try again later.',
        },
        '5',
      ])
      const list = await neither.ask<Project[]>('GET /projects?search=away')
      expect(list.map((project) => project.id)).toEqual([id])
      expect((await send(neither, `GET /api/v4/projects/${id}/issues`)).status).toBe(200)
      await commit(neither, source, 'other', 'others-go-on.txt')
    })
  })

  describe('a server with a disk of its own', { timeout: 60_000 }, () => {
    const startOne = async (settings: Record<string, string>) => {
      const server = await startServer(settings)
      onTestFinished(() => server.stop('SIGKILL'))
      return server
    }

    it('does not start with another disk in the place of the storage', async () => {
      const database = await createDatabase(inject('postgresUrl'))
      onTestFinished(database.drop)
      const folder = newFolder()
      const settings = {
        BLOOMERY_DATABASE_URL: database.url,
        BLOOMERY_DATA: newFolder(),
        BLOOMERY_NODE_URL: 'http://127.0.0.1:1',
        BLOOMERY_STORAGES: JSON.stringify({ default: { path: folder } }),
      }
      const server = await startOne(settings)
      await server.stop('SIGTERM')
      const marker = join(folder, '.bloomery-storage')
      const content = readFileSync(marker, 'utf8')
      const text = `${folder} is not the disk of the storage default that other servers have used.`
      rmSync(marker)
      await expect(startOne(settings)).rejects.toThrow(text)
      expect(existsSync(marker)).toBe(false)
      writeFileSync(marker, 'another')
      await expect(startOne(settings)).rejects.toThrow(text)
      writeFileSync(marker, content)
      await startOne(settings)
      expect(readdirSync(folder)).toContain('.bloomery-storage')
    })

    it('does not start without an address where others need its storage', async () => {
      const database = await createDatabase(inject('postgresUrl'))
      onTestFinished(database.drop)
      const place = { BLOOMERY_DATABASE_URL: database.url, BLOOMERY_DATA: newFolder() }
      const storages = (path: string | null) => JSON.stringify({ own: { path } })
      await startOne({ ...place, BLOOMERY_STORAGES: storages(null) })
      await expect(
        startOne({ ...place, BLOOMERY_STORAGES: storages(newFolder()) }),
      ).rejects.toThrow(
        'This server has the storages own, which other servers of the same database have not. Set BLOOMERY_NODE_URL to where they reach this one.',
      )
    })
  })
}

it('needs PostgreSQL for a storage on the disk of another server', async () => {
  const storages = JSON.stringify({ default: { path: null } })
  await expect(startServer({ BLOOMERY_STORAGES: storages })).rejects.toThrow(
    'A storage on the disk of another server (path null) needs a database that servers share: set database_url.',
  )
})
