// Publishes the site of a job: its archive gets a name of its own, and the site is switched to it in one step
// (docs/api/pages.md, "Publishing").

import { ownBlobPlace } from '../../../blobs/blob-place.ts'
import { blobStoreOf, readBlob } from '../../../blobs/blob-store.ts'
import type { JobOptions } from '../../../ci/planned.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import {
  cancelOwnBlobRemoval,
  copyOwnBlob,
  enqueueOwnBlobRemoval,
} from '../../basics/own-blobs/own-blob.ts'
import { readSettingOrDefault } from '../../basics/settings/setting.ts'
import { recordCommitStatus } from '../../delivery/commit-statuses/record-commit-status.ts'
import { listJobArtifacts } from '../../delivery/jobs/job.ts'
import { findJob, getJobSpec, type Job } from '../../delivery/pipeline-changes/job.ts'
import { getPipeline } from '../../delivery/pipelines/pipeline.ts'
import { isPagesEnabled, replacePagesSiteIfNewer } from './pages.store.ts'
import { InvalidSiteArchiveError, readSiteIndex } from './site-index.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config'>

const mebibyte = 1024 * 1024

/** Returns the folder that a `pages` job publishes; undefined for any other job. */
export function pagesFolderOfJob({
  name,
  options,
}: {
  name: string
  options: unknown
}): string | undefined {
  const { pages } = options as JobOptions
  if (name !== 'pages' && !pages) return undefined
  const parts = (pages?.publish ?? 'public').split('/')
  return parts.filter((part) => part !== '' && part !== '.').join('/')
}

/** Publishes the artifacts of a `pages` job, and reports the result as a commit status. Safe to repeat. */
export async function publishPagesSite(uses: Uses, job_id: number): Promise<void> {
  const { db } = uses
  const job = await findJob(db, job_id)
  if (job?.status !== 'success' || !(await isPagesEnabled(db, job.project_id))) return
  const root = pagesFolderOfJob({ name: job.name, options: (await getJobSpec(db, job_id)).options })
  if (root === undefined) return
  try {
    await publish(uses, job, root)
    await report(uses, job, { state: 'success' })
  } catch (error) {
    if (!(error instanceof InvalidSiteArchiveError)) throw error
    await report(uses, job, { state: 'failed', description: error.message })
  }
}

async function publish({ db, clock, config }: Uses, job: Job, root: string): Promise<void> {
  const files = await listJobArtifacts(db, [job.id])
  const archive = files.find(({ file_type }) => file_type === 'archive')
  if (!archive) throw new InvalidSiteArchiveError('The job has no artifacts.')
  const size = Number(archive.size)
  const index = await readSiteIndex(
    {
      size,
      async read(range) {
        const place = ownBlobPlace('artifacts', archive.blob)
        const stream = await readBlob(blobStoreOf(config), place, range)
        if (!stream) throw new InvalidSiteArchiveError('The artifacts of the job were deleted.')
        return stream
      },
    },
    root,
  )
  if (index.files.size === 0)
    throw new InvalidSiteArchiveError(`The artifacts have no folder ${root}.`)
  const size_max = (await readSettingOrDefault(db, 'max_pages_size')) * mebibyte
  if (size_max > 0 && index.unpacked_bytes > size_max) {
    throw new InvalidSiteArchiveError('The site exceeds the maximum size of sites.')
  }
  const blob = await copyOwnBlob(
    { db, clock, config },
    { kind: 'artifacts', name: archive.blob },
    'pages',
  )
  if (!blob) throw new InvalidSiteArchiveError('The artifacts of the job were deleted.')
  await runTransaction(db, async (tx) => {
    const before = await replacePagesSiteIfNewer(tx, {
      project_id: job.project_id,
      job_id: job.id,
      ...{ blob, size, root, files: index.files.size },
      created_at: timestamp(clock),
    })
    if (before === undefined) await enqueueOwnBlobRemoval(tx, clock, { kind: 'pages', name: blob })
    else await cancelOwnBlobRemoval(tx, blob)
    if (before) await enqueueOwnBlobRemoval(tx, clock, { kind: 'pages', name: before })
  })
}

/** Reports the result as a commit status, which clients look up by this name. */
async function report(
  { db, clock }: Uses,
  { pipeline_id, user_id }: Job,
  result: { state: 'success' | 'failed'; description?: string },
): Promise<void> {
  if (user_id === null) return
  const pipeline = await getPipeline(db, pipeline_id)
  try {
    await recordCommitStatus(
      { db, clock },
      { target: pipeline, pipeline, user_id, report: { ...result, name: 'pages:deploy' } },
    )
  } catch (error) {
    // A job in the configuration may have the same name.
    if (!(error instanceof ApiError) || error.kind !== 'invalid') throw error
  }
}
