// Archives of jobs: taken in, beside a copy to disk that is synced; and one file read out of them, beside the
// same bytes sent by a bare server from a file of their own.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { zipOf } from '../../test/kit/zip.ts'
import type { Bench } from '../bench.ts'
import { type CiServer, startCiServer, uploadArtifact } from '../ci-server.ts'
import { readProcessTree } from '../machine.ts'
import { timePairs } from '../measure.ts'
import { atMost, type Measured, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'

const kb = 1024
const mb = 1024 * kb
const small = { name: 'small.txt', content: Buffer.alloc(kb, 'ore '), isStored: true }

/** A folder with a file of the size by itself, and with an archive of it and a small one. */
async function makeFiles(bench: Bench, bytes: number) {
  const folder = bench.newFolder('archives')
  await mkdir(folder)
  const content = Buffer.alloc(bytes, 'charcoal ')
  const zip = zipOf([small, { name: 'large.bin', content, isStored: true }])
  await writeFile(join(folder, 'large.bin'), content)
  await writeFile(join(folder, 'small.txt'), small.content)
  const archive = { path: join(folder, 'archive.zip'), bytes: zip.length }
  await writeFile(archive.path, zip)
  return { folder, archive }
}

function startJobs(bench: Bench, jobs: number): Promise<CiServer> {
  const config = { build: { script: 'true', parallel: Math.max(jobs, 2) } }
  return startCiServer(bench, { config, env: { BLOOMERY_ARTIFACT_SIZE_MAX: '4096' } })
}

/** Reads an answer to its end; nothing of it is kept. */
async function download(url: string, headers: Record<string, string> = {}): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  get(url, { headers }, (incoming) => {
    if (incoming.statusCode !== 200) reject(new Error(`${url}: ${incoming.statusCode}`))
    incoming.resume().on('end', resolve).on('error', reject)
  }).on('error', reject)
  await promise
}

const residentMemory_mb = ({ server }: CiServer): number =>
  Math.max(...readProcessTree(server.pid).map(({ rss_mb }) => rss_mb))

async function measureUpload(bench: Bench, bytes: number, samples: number): Promise<Measured> {
  const ci = await startJobs(bench, samples)
  const { folder, archive } = await makeFiles(bench, bytes)
  const jobs = await Promise.all(Array.from({ length: samples }, () => ci.takeJob()))
  const before_mb = residentMemory_mb(ci)
  const { floor_ms, ours_ms } = await timePairs(
    jobs.map((job, number) => ({
      floor: () =>
        pipeline(
          createReadStream(archive.path),
          createWriteStream(join(folder, `copy-${number}`), { flush: true }),
        ),
      ours: () => uploadArtifact(ci, job, { ...archive, type: 'archive', format: 'zip' }),
    })),
  )
  const after_mb = residentMemory_mb(ci)
  await ci.server.stop()
  await rm(folder, { recursive: true })
  return {
    floor: { value: floor_ms, unit: 'ms', of: 'copy with fsync' },
    ours: { value: ours_ms, unit: 'ms' },
    note: `resident ${before_mb.toFixed(0)} MB before, ${after_mb.toFixed(0)} MB after`,
  }
}

async function measureRead(
  bench: Bench,
  { bytes, name, samples }: { bytes: number; name: string; samples: number },
): Promise<Measured> {
  const ci = await startJobs(bench, 2)
  const { folder, archive } = await makeFiles(bench, bytes)
  const job = await ci.takeJob()
  await uploadArtifact(ci, job, { ...archive, type: 'archive', format: 'zip' })
  const bare = createServer((_request, response) => {
    createReadStream(join(folder, name)).pipe(response)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => bare.once('listening', resolve))
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`
  const url = `${ci.server.url}/api/v4/projects/${ci.project_id}/jobs/${job.id}/artifacts/${name}`
  const before_mb = residentMemory_mb(ci)
  const pairs = Array.from({ length: samples }, () => ({
    floor: () => download(bareUrl),
    ours: () => download(url, ci.headers),
  }))
  const { floor_ms, ours_ms } = await timePairs(pairs)
  const after_mb = residentMemory_mb(ci)
  bare.close()
  await ci.server.stop()
  await rm(folder, { recursive: true })
  return {
    floor: { value: floor_ms, unit: 'ms', of: 'bare server, a file' },
    ours: { value: ours_ms, unit: 'ms' },
    note: `resident ${before_mb.toFixed(0)} MB before, ${after_mb.toFixed(0)} MB after`,
  }
}

export function artifactRows({ heavy_mb, samples }: Sizes): Row[] {
  // With few samples the bench itself is tried.
  const large = heavy_mb > 100 ? 1024 * mb : 64 * mb
  const text = `${large / mb} MB`
  return [
    {
      name: 'artifact upload, 1 KB',
      measure: (bench) => measureUpload(bench, kb, samples),
    },
    {
      name: `artifact upload, ${text}`,
      goal: atMost(1.25),
      measure: (bench) => measureUpload(bench, large, 3),
    },
    {
      name: `artifact, file of 1 KB in an archive of ${text}`,
      measure: (bench) => measureRead(bench, { bytes: large, name: 'small.txt', samples }),
    },
    {
      name: `artifact, file of ${text}`,
      measure: (bench) => measureRead(bench, { bytes: large, name: 'large.bin', samples: 3 }),
    },
  ]
}
