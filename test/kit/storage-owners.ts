// Servers that have storages on disks of their own, as processes on one database of PostgreSQL.
import { expect, inject, vi } from 'vitest'
import { freePort } from '../../tools/server-process.ts'
import { createDatabase } from './database.ts'
import { atFileEnd } from './file-end.ts'
import { newFolder } from './git.ts'
import { type Server, startServer } from './server.ts'

type Name = 'first' | 'second' | 'neither'
export type Owner = Server & { sshPort: number }
export type Owners = Record<Name, Owner> & {
  place: Record<string, string>
  folders: Record<'first' | 'second', string>
}
export type OwnedProject = { id: number; repository_storage: string; path_with_namespace: string }

/** A project of root on the storage `first`, and its fork on `second`, from the time when one server had both. */
export const source = 'root/source'
export const fork = 'grown/source'

type Disks = Pick<Owners, 'place' | 'folders'>

/** The settings of a server that has one of the storages, or neither. */
export function ownerSettings({ place, folders }: Disks, own: Name): Record<string, string> {
  return {
    ...place,
    BLOOMERY_STORAGES: JSON.stringify({
      first: { path: own === 'first' ? folders.first : null },
      second: { path: own === 'second' ? folders.second : null },
    }),
  }
}

/** Starts the server that has one of the storages, or neither. */
export async function startOwner(disks: Disks, own: Name): Promise<Owner> {
  const [port, sshPort] = [await freePort(), await freePort()]
  const server = await startServer({
    ...ownerSettings(disks, own),
    BLOOMERY_PORT: String(port),
    BLOOMERY_SSH_PORT: String(sshPort),
    BLOOMERY_NODE_URL: `http://127.0.0.1:${port}`,
    // Only the server that a client reaches needs to know its proxy.
    ...(own === 'neither' ? { BLOOMERY_TRUSTED_PROXIES: '127.0.0.1' } : {}),
  })
  return { ...server, sshPort }
}

/** Two servers with a storage each, and one with none, on one database and one data folder. */
export async function startOwners(): Promise<Owners> {
  const database = await createDatabase(inject('postgresUrl'))
  const place = { BLOOMERY_DATABASE_URL: database.url, BLOOMERY_DATA: newFolder() }
  const folders = { first: newFolder(), second: newFolder() }
  await prepareForks(place, folders)
  const start = (own: Name) => startOwner({ place, folders }, own)
  const first = await start('first')
  const owners = { first, second: await start('second'), neither: await start('neither') }
  atFileEnd(database.drop)
  return { ...owners, place, folders }
}

async function prepareForks(
  place: Record<string, string>,
  folders: Owners['folders'],
): Promise<void> {
  const storages = { first: { path: folders.first }, second: { path: folders.second } }
  const one = await startServer({ ...place, BLOOMERY_STORAGES: JSON.stringify(storages) })
  const { id } = await one.ask<OwnedProject>('POST /projects', {
    name: 'source',
    repository_storage: 'first',
    initialize_with_readme: true,
  })
  const group = await one.ask<{ id: number }>('POST /groups', { name: 'grown', path: 'grown' })
  const forked = await one.ask<OwnedProject>(`POST /projects/${id}/fork`, {
    namespace_id: group.id,
  })
  await vi.waitFor(async () => {
    const move = { destination_storage_name: 'second' }
    await one.ask(`POST /projects/${forked.id}/repository_storage_moves`, move).catch(() => {})
    const moved = await one.ask<OwnedProject>(`GET /projects/${forked.id}`)
    expect(moved.repository_storage).toBe('second')
  }, 60_000)
  await one.stop('SIGTERM')
}

/** The start of the API's path of a project, by its own path. */
export const encoded = (path: string) => `/projects/${encodeURIComponent(path)}`

export async function commit(
  server: Server,
  path: string,
  branch: string,
  file: string,
): Promise<void> {
  await server.ask(`POST ${encoded(path)}/repository/files/${encodeURIComponent(file)}`, {
    branch,
    start_branch: branch === 'main' ? undefined : 'main',
    content: `${file}\n`,
    commit_message: `Add ${file}`,
  })
}
