// Backups of many small repositories, beside `tar` of the same files: by loose objects, as a young repository has
// them, and packed, as upkeep leaves one. Everything is warm.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openDatabase } from '../../src/db/open.ts'
import { repositoryInStorage } from '../../src/git/repository.ts'
import type { Bench } from '../bench.ts'
import { runGit, runProgram } from '../machine.ts'
import { timePairs } from '../measure.ts'
import { atMost, type Measured, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'

const repositories = 1000
const samples = 5

type Place = { data: string; env: Record<string, string> }

async function makePlace(bench: Bench, { isPacked }: { isPacked: boolean }): Promise<Place> {
  const data = bench.newFolder('backed-up')
  mkdirSync(data, { recursive: true })
  const db = await openDatabase({ url: join(data, 'bloomery.sqlite') })
  await db.destroy()
  writeFileSync(join(data, 'secret.key'), Buffer.alloc(32))
  const model = join(bench.newFolder('model'), 'model.git')
  await runGit(['init', '--bare', '--quiet', '--template=', model])
  await runGit([`--git-dir=${model}`, 'fast-import', '--quiet'], history())
  await runGit([`--git-dir=${model}`, '-c', 'repack.writeBitmaps=true', 'repack', '-adq'])
  if (!isPacked) await unpack(model)
  for (let id = 1; id <= repositories; id++) {
    const { path } = repositoryInStorage(join(data, 'repositories'), 'project', id)
    mkdirSync(dirname(path), { recursive: true })
    cpSync(model, path, { recursive: true })
  }
  return { data, env: { PATH: process.env.PATH ?? '', BLOOMERY_DATA: data } }
}

/** Five commits of four files each, as they come by the API. */
function* history(): Generator<string> {
  for (let commit = 0; commit < 5; commit++) {
    yield `commit refs/heads/main\ncommitter A <a@b.test> ${1_700_000_000 + commit} +0000\ndata 1\nc\n`
    for (let file = 0; file < 4; file++) {
      const text = `${commit} ${file} `.repeat(200)
      yield `M 100644 inline d${file}/f${commit}\ndata ${text.length}\n${text}\n`
    }
  }
}

async function unpack(model: string): Promise<void> {
  const packs = join(model, 'objects/pack')
  const aside = join(model, 'aside')
  cpSync(packs, aside, { recursive: true })
  rmSync(packs, { recursive: true })
  const pack = readdirSync(aside).find((name) => name.endsWith('.pack')) ?? ''
  await runProgram('sh', [
    '-c',
    `git --git-dir="$1" unpack-objects -q < "$1/aside/${pack}"`,
    'sh',
    model,
  ])
  rmSync(aside, { recursive: true })
}

async function measure(
  bench: Bench,
  options: { isPacked: boolean; isFirst: boolean },
): Promise<Measured> {
  const { data, env } = await makePlace(bench, options)
  const target = bench.newFolder('backups')
  const program = join(import.meta.dirname, '../../dist/main.js')
  const backup = async () => {
    if (options.isFirst) rmSync(target, { recursive: true, force: true })
    await runProgram(process.execPath, [program, 'backup', '--to', target], { env })
  }
  const file = join(bench.newFolder('floor'), 'all.tar')
  mkdirSync(dirname(file), { recursive: true })
  // A copy that a power failure takes away is none: what tar wrote is synced, as ours is.
  const tar = async () => {
    await runProgram('tar', ['-C', data, '-cf', file, 'repositories'], { env })
    await runProgram('sync', [file], { env })
  }
  await backup()
  await tar()
  const pairs = Array.from({ length: samples }, () => ({ floor: tar, ours: backup }))
  const { floor_ms, ours_ms } = await timePairs(pairs)
  return {
    floor: { value: floor_ms / 1000, unit: 's', of: 'tar and sync' },
    ours: { value: ours_ms / 1000, unit: 's' },
    note: `${repositories} repositories, synced and hashed; medians of ${samples}`,
  }
}

export function backupRows(_sizes: Sizes): Row[] {
  return [
    {
      name: 'backup, loose repositories',
      goal: atMost(1.5),
      measure: (bench) => measure(bench, { isPacked: false, isFirst: true }),
    },
    {
      name: 'backup, packed repositories',
      goal: atMost(1.5),
      measure: (bench) => measure(bench, { isPacked: true, isFirst: true }),
    },
    {
      name: 'backup again, nothing changed',
      goal: atMost(1.5),
      measure: (bench) => measure(bench, { isPacked: false, isFirst: false }),
    },
  ]
}
