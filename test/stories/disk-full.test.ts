import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openConfig } from '../../src/live-config.ts'
import { startApp } from '../kit/app.ts'
import { atFileEnd } from '../kit/file-end.ts'
import { newFolder, runRealGit, WorkingCopy } from '../kit/git.ts'
import { newWorld } from '../kit/world.ts'

const data =
  'The data disk is nearly full: nothing more can be written until an administrator makes room.'

describe('on a disk without room', () => {
  it('nothing more is written, in words, and what reads and removes goes on', async () => {
    // What there is was made before: the same data, served without a limit.
    const before = await startApp({ BLOOMERY_URL: '' })
    atFileEnd(() => before.close())
    const world = await newWorld(before)
    const project = await world.newProject({ files: { a: 'a' } })
    await world.commit(project, { b: 'b' }, { branch: 'other', start_branch: 'main' })
    const { bavail, bsize } = statfsSync(before.config.data)
    const more_mb = Math.ceil((bavail * bsize) / 1024 / 1024) * 2
    const app = await startApp({
      BLOOMERY_URL: '',
      BLOOMERY_DATA: before.config.data,
      BLOOMERY_DISK_FREE_MIN: String(more_mb),
    })
    atFileEnd(() => app.close())
    const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const owner = app.client(world.token('owner'))
    const admin = app.client(world.token('admin'))

    for (const [path, body] of [
      ['/projects', { name: 'new' }],
      [`/projects/${project.id}/issues`, { title: 'new' }],
      [`/projects/${project.id}/repository/branches`, { branch: 'new', ref: 'main' }],
      [
        `/projects/${project.id}/repository/commits`,
        {
          branch: 'main',
          commit_message: 'x',
          actions: [{ action: 'create', file_path: 'x', content: 'x'.repeat(100_000) }],
        },
      ],
    ] as const) {
      const answer = await owner.post(path, body)
      expect([path, answer.statusCode, answer.json()]).toEqual([
        path,
        507,
        { message: `507 ${data}` },
      ])
    }
    // The order of answers stays: who may not is told that.
    const outsider = app.client(world.token('outsider'))
    expect((await outsider.post(`/projects/${project.id}/issues`, { title: 'x' })).statusCode).toBe(
      404,
    )

    const address = new URL(`${url}/${project.full_path}.git`)
    address.username = 'x'
    address.password = world.token('owner')
    const path = join(newFolder(), 'copy')
    expect((await runRealGit(['clone', address.toString(), path])).status).toBe(0)
    const copy = new WorkingCopy(path)
    await copy.commit({ c: Buffer.alloc(300_000, 1) })
    const push = await copy.run(['push', 'origin', 'HEAD:new'])
    expect(push.status).toBe(1)
    expect(push.stderr).toContain(`remote: GitLab: ${data}`)
    expect(push.stderr).toContain('! [remote rejected] HEAD -> new (pre-receive hook declined)')
    const removal = await copy.run(['push', 'origin', ':other'])
    expect(removal).toMatchObject({ status: 0 })

    const wiki = await copy.run([
      'push',
      address.toString().replace(/\.git$/, '.wiki.git'),
      'HEAD:main',
    ])
    expect(wiki.stderr).toContain(`remote: GitLab: ${data}`)

    const lfs = await app.server.inject({
      method: 'POST',
      url: `/${project.full_path}.git/info/lfs/objects/batch`,
      headers: {
        authorization: `Basic ${Buffer.from(`x:${world.token('owner')}`).toString('base64')}`,
        'content-type': 'application/vnd.git-lfs+json',
      },
      payload: { operation: 'upload', objects: [{ oid: '0'.repeat(64), size: 3 }] },
    })
    expect([lfs.statusCode, lfs.json().message]).toEqual([507, data])

    expect(
      (await owner.get(`/projects/${project.id}/repository/files/a?ref=main`)).statusCode,
    ).toBe(200)
    // Administration goes on, and so does whatever makes room.
    expect((await admin.post(`/users/${world.users.guest.id}/block`)).statusCode).toBe(201)
    expect((await owner.delete(`/projects/${project.id}`)).statusCode).toBe(202)
    app.clock.advance(60_000)
    await app.worker.drain()
    // Packing waits for room, removals do not.
    const { body } = await app.client().get('/-/metrics')
    expect(body).toMatch(/bloomery_tasks_waiting\{lane="upkeep"\} [1-9]/)
    expect(body).toContain('bloomery_tasks_waiting{lane="removal"} 0')
    const ready = await app.client().get('/-/readiness')
    expect(ready.statusCode).toBe(200)
    expect(ready.json()).toEqual({
      status: 'ok',
      disk_check: [
        { status: 'failed', message: data, labels: { place: 'data' } },
        {
          status: 'failed',
          message: data.replace('data disk', 'disk of storage default'),
          labels: { place: 'default' },
        },
      ],
    })
  })

  it('the limit is one of the settings that are read again', () => {
    const folder = newFolder()
    const environment: Record<string, string> = { BLOOMERY_DATA: folder }
    const live = openConfig(environment)
    expect(live.config.diskFreeMin_bytes).toBe(256 * 1024 ** 2)
    environment.BLOOMERY_DISK_FREE_MIN = '0'
    environment.BLOOMERY_PORT = '1'
    environment.BLOOMERY_LOG_LEVEL = 'warn'
    expect(live.reload()).toEqual({ changed: ['disk_free_min', 'log_level'], waiting: ['port'] })
    expect(live.config.diskFreeMin_bytes).toBe(0)
    expect(live.config.logLevel).toBe('warn')
    expect(live.config.port).toBe(8080)
    environment.BLOOMERY_LOG_LEVEL = 'loud'
    expect(() => live.reload()).toThrow('log_level takes one of')
    expect(live.config.logLevel).toBe('warn')
  })
})
