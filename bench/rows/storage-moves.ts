// A move of a large repository to another storage, from the request to the switch, beside `cp` of its folder and
// an fsync of all it wrote. Once to a folder of the same disk, and once to another file system where there is one.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { callWell } from '../client.ts'
import { type Fresh, freshServer } from '../fresh.ts'
import { runProgram } from '../machine.ts'
import { time_ms } from '../measure.ts'
import { atMost, type Measured, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'

const elsewhere = '/dev/shm'
const file_bytes = 4 * 1024 * 1024

function* largeText(megabytes: number): Generator<string | Buffer> {
  yield 'commit refs/heads/main\ncommitter Smith <smith@bloomery.test> 1700000000 +0000\ndata 1\nm\n'
  for (let at = 0; at * file_bytes < megabytes * 1024 * 1024; at++) {
    yield `M 100644 inline ${at}.bin\ndata ${file_bytes}\n`
    yield randomBytes(file_bytes)
    yield '\n'
  }
}

type Moving = Fresh & { id: number; folders: Record<string, string> }
let moving: Promise<Moving> | undefined

async function prepare(bench: Bench): Promise<Moving> {
  const other = mkdtempSync(join(elsewhere, 'bloomery-bench-'))
  bench.whenClosed(async () => rmSync(other, { recursive: true, force: true }))
  const folders = { default: bench.newFolder('one'), same: bench.newFolder('two'), other }
  const storages = Object.fromEntries(
    Object.entries(folders).map(([name, path]) => [
      name,
      { path, weight: name === 'default' ? 1 : 0 },
    ]),
  )
  const fresh = await freshServer(bench, { BLOOMERY_STORAGES: JSON.stringify(storages) })
  const { id } = await fresh.send('POST', '/projects', { name: 'large' })
  await fresh.push('root/large', largeText(bench.sizes.moved_mb))
  // The tidying up after the push is no part of a move.
  await setTimeout(15_000)
  return { ...fresh, id: id as number, folders }
}

async function move({ send, server, headers, id }: Moving, to: string): Promise<void> {
  const moves = `/projects/${id}/repository_storage_moves`
  const made = await send('POST', moves, { destination_storage_name: to })
  for (;;) {
    const answer = await callWell(`${server.url}/api/v4${moves}/${made.id}`, { headers })
    const { state } = JSON.parse(answer.body.toString())
    if (state === 'replicated' || state === 'finished') return
    if (state === 'failed') throw new Error('The move failed.')
    await setTimeout(5)
  }
}

async function settled({ send, id }: Moving): Promise<void> {
  const moves = `/projects/${id}/repository_storage_moves`
  for (;;) {
    const [last] = (await send('GET', moves)) as unknown as { state: string }[]
    if (last?.state === 'finished') return
    await setTimeout(200)
  }
}

async function measure(bench: Bench, to: 'same' | 'other'): Promise<Measured> {
  moving ??= prepare(bench)
  const site = await moving
  const from = site.folders.default ?? ''
  const copy = join(to === 'other' ? (site.folders.other ?? '') : bench.newFolder('cp'), 'copy')
  const floor_ms = await time_ms(() =>
    runProgram('sh', [
      '-c',
      'mkdir -p "$1" && cp -r "$0" "$1" && sync "$1" && find "$1" -type f -exec sync {} +',
      from,
      copy,
    ]),
  )
  rmSync(copy, { recursive: true, force: true })
  const ours_ms = await time_ms(() => move(site, to))
  await settled(site)
  await move(site, 'default')
  await settled(site)
  return {
    floor: { value: floor_ms / 1000, unit: 's', of: 'cp -r and fsync of every file' },
    ours: { value: ours_ms / 1000, unit: 's' },
    note: to === 'same' ? 'hard links' : 'every byte compared',
  }
}

export function storageMoveRows({ moved_mb }: Sizes): Row[] {
  const hasOther = statSync(elsewhere, { throwIfNoEntry: false })?.isDirectory() ?? false
  const row = (to: 'same' | 'other', where: string): Row => ({
    name: `storage move of ${moved_mb} MB, ${where}`,
    goal: atMost(1.5),
    measure: (bench) => measure(bench, to),
  })
  return [row('same', 'on one disk'), ...(hasOther ? [row('other', 'to another file system')] : [])]
}
