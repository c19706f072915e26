// A backup of repositories on the disks of several servers, taken by one that has none of them.
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { type CommandResult, newPlace, runCommand } from '../../test/kit/command.ts'
import { createDatabase } from '../../test/kit/database.ts'
import { atFileEnd } from '../../test/kit/file-end.ts'
import { newFolder, runRealGit } from '../../test/kit/git.ts'
import { startServer } from '../../test/kit/server.ts'
import {
  commit,
  encoded,
  type Owners,
  ownerSettings,
  startOwner,
  startOwners,
} from '../../test/kit/storage-owners.ts'
import { FolderTarget } from './folder-target.ts'

type Disks = Pick<Owners, 'place' | 'folders'>

function runAt(
  disks: Disks,
  own: 'first' | 'second' | 'neither',
  args: readonly string[],
): Promise<CommandResult> {
  const { BLOOMERY_DATA: data = '', BLOOMERY_DATABASE_URL: databaseUrl } = disks.place
  return runCommand({ data, databaseUrl }, args, ownerSettings(disks, own))
}

/** An empty database, data folder with the key, and disks. */
async function newDisks({ place }: Disks): Promise<Disks> {
  const database = await createDatabase(inject('postgresUrl'))
  atFileEnd(database.drop)
  const data = newFolder()
  copyFileSync(join(place.BLOOMERY_DATA ?? '', 'secret.key'), join(data, 'secret.key'))
  return {
    place: { BLOOMERY_DATABASE_URL: database.url, BLOOMERY_DATA: data },
    folders: { first: newFolder(), second: newFolder() },
  }
}

if (process.env.TEST_DB === 'postgres') {
  describe('a backup of several servers', { timeout: 120_000 }, () => {
    let owners: Owners
    const folder = newFolder()
    const target = new FolderTarget(folder)
    const backUp = () => runAt(owners, 'neither', ['backup', '--to', folder])
    // More than git compresses into an archive of small files.
    const large = randomBytes(3 * 1024 * 1024)

    beforeAll(async () => {
      owners = await startOwners()
      const { first, neither } = owners
      for (const storage of ['first', 'second']) {
        const name = `on-${storage}`
        await first.ask('POST /projects', { name, repository_storage: storage })
        await commit(neither, `root/${name}`, 'main', 'README.md')
      }
      const cwd = newFolder()
      const { host } = new URL(neither.url)
      const url = `http://root:${neither.root.token}@${host}/root/on-second.git`
      expect(await runRealGit(['clone', '-q', url, cwd])).toMatchObject({ status: 0 })
      writeFileSync(join(cwd, 'large'), large)
      for (const args of [
        ['add', 'large'],
        ['commit', '-q', '-m', 'Add a large file'],
        ['push', '-q', 'origin', 'HEAD:refs/heads/large'],
      ]) {
        expect(await runRealGit(args, { cwd })).toMatchObject({ status: 0 })
      }
    }, 120_000)

    it('has the repositories of all, and shares what has not changed with the next', async () => {
      const one = await backUp()
      expect(one).toMatchObject({ status: 0, stderr: '' })
      const [, count] = /^Repositories: (\d+), of which 0 unchanged\.$/m.exec(one.stdout) ?? []
      expect(Number(count)).toBeGreaterThanOrEqual(4)
      // Upkeep after the pushes packs repositories for a while.
      const again = async () => (await backUp()).stdout
      await expect
        .poll(again, { timeout: 60_000, interval: 500 })
        .toContain(`Repositories: ${count}, of which ${count} unchanged.`)
      await commit(owners.neither, 'root/on-second', 'changed', 'b.txt')
      const two = await backUp()
      expect(two).toMatchObject({ status: 0, stderr: '' })
      expect(two.stdout).toContain(
        `Repositories: ${count}, of which ${Number(count) - 1} unchanged.`,
      )
      const verified = await runAt(owners, 'neither', ['backup', 'verify', folder])
      expect(verified.stdout).toContain(`${count} repositories, 0 problems.`)
    })

    it('is restored server by server', async () => {
      const disks = await newDisks(owners)
      const restore = (own: 'first' | 'second', ...options: string[]) =>
        runAt(disks, own, ['restore', '--from', folder, '--check', ...options])
      const tooEarly = await restore('second', '--repositories')
      expect(tooEarly.status).toBe(1)
      expect(tooEarly.stderr).toContain('No database at')
      const all = await restore('first')
      expect(all).toMatchObject({ status: 0, stderr: '' })
      expect(all.stdout).toMatch(
        /^Not restored here: \d+ repositories of storage second, which is on another server\.$/m,
      )
      const rest = await restore('second', '--repositories')
      expect(rest).toMatchObject({ status: 0, stderr: '' })
      expect(rest.stdout).toMatch(/^git fsck: [1-9]\d* repositories, 0 broken\.$/m)
      const again = await restore('second', '--repositories')
      expect(again.stderr).toContain(`The target is not empty: ${disks.folders.second}`)
      const first = await startOwner(disks, 'first')
      const second = await startOwner(disks, 'second')
      // Root's token is in the rows.
      const token = owners.first.root.token
      for (const server of [first, second]) {
        const read = async (path: string) =>
          Buffer.from(
            await (
              await fetch(`${server.url}/api/v4${path}`, { headers: { 'private-token': token } })
            ).arrayBuffer(),
          )
        const raw = `${encoded('root/on-second')}/repository/files/large/raw?ref=large`
        expect((await read(raw)).equals(large)).toBe(true)
        const readme = `${encoded('root/on-first')}/repository/files/README.md/raw?ref=main`
        expect((await read(readme)).toString()).toBe('README.md\n')
      }
      const running = await restore('second', '--repositories', '--overwrite')
      expect([running.status, running.stderr]).toEqual([
        1,
        expect.stringContaining('which has the storages second. Stop it first.'),
      ])
      // The disk of one server is lost.
      await second.stop('SIGTERM')
      const marker = join(disks.folders.second, '.bloomery-storage')
      const known = readFileSync(marker, 'utf8')
      rmSync(disks.folders.second, { recursive: true })
      const lost = await restore('second', '--repositories')
      expect(lost).toMatchObject({ status: 0, stderr: '' })
      expect(readFileSync(marker, 'utf8')).toBe(known)
      const back = await startOwner(disks, 'second')
      await back.stop('SIGTERM')
      await first.stop('SIGTERM')
    })

    it('is not taken while one of them is away', async () => {
      const before = await target.list()
      await owners.second.stop('SIGKILL')
      const refused = await backUp()
      expect([refused.status, refused.stderr]).toEqual([
        1,
        expect.stringContaining(
          'The server with the storage second cannot be reached, or failed to send its repositories',
        ),
      ])
      expect(await target.list()).toEqual(before)
      expect(existsSync(join(folder, `${before.at(-1)}`))).toBe(true)
    })
  })
}

it('restores the repositories of a disk that was lost, and nothing else', {
  timeout: 120_000,
}, async () => {
  const place = await newPlace()
  const disk = newFolder()
  const settings = {
    ...(place.databaseUrl === undefined ? {} : { BLOOMERY_DATABASE_URL: place.databaseUrl }),
    BLOOMERY_DATA: place.data,
    BLOOMERY_STORAGES: JSON.stringify({ default: { path: disk } }),
  }
  const server = await startServer(settings)
  await server.ask('POST /projects', { name: 'kept', initialize_with_readme: true })
  const folder = newFolder()
  const backUp = await runCommand(place, ['backup', '--to', folder], settings)
  expect(backUp).toMatchObject({ status: 0, stderr: '' })
  const restore = () => runCommand(place, ['restore', '--from', folder, '--repositories'], settings)
  expect((await restore()).stderr).toContain('Stop it first.')
  const later = await server.ask<{ id: number }>('POST /projects', { name: 'later' })
  await server.stop('SIGTERM')
  rmSync(disk, { recursive: true })
  const restored = await restore()
  expect(restored).toMatchObject({ status: 0, stderr: '' })
  const again = await startServer(settings)
  const read = `${encoded('root/kept')}/repository/files/README.md?ref=main`
  expect(await again.ask(`GET ${read}`)).toMatchObject({ file_name: 'README.md' })
  // What is newer than the backup has its row.
  expect(await again.ask(`GET /projects/${later.id}`)).toMatchObject({ name: 'later' })
  await again.stop('SIGTERM')
})
