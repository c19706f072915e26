import { Readable } from 'node:stream'
import { Type } from 'typebox'
import {
  findZipEntry,
  isZipEntryReadable,
  openZipEntry,
  ZipError,
  type ZipFile,
} from '../../../blobs/zip.ts'
import { Answer, acceptedAnswer } from '../../../http/answer.ts'
import { contentDisposition } from '../../../http/disposition.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  binaryBody,
  MessageJson,
  namedObject,
  nullableText,
  pageInput,
} from '../../../http/schema.ts'
import { badRequest, forbidden, notFound, recordNotFound } from '../../../kernel/errors.ts'
import { trimEndOf } from '../../../kernel/trim.ts'
import { type Project, projectLoader } from '../../../subjects/project.ts'
import { enqueue } from '../../../tasks/task.ts'
import { removeArtifacts } from '../jobs/remove-artifacts.ts'
import { ShownJobJson, showJob } from '../jobs/show-jobs.ts'
import { findJob, type Job } from '../pipeline-changes/job.ts'
import { mayAdminArtifacts, mayKeepJobArtifacts, mayReadArtifacts } from './artifact.policy.ts'
import {
  clearArtifactExpiry,
  findJobArchive,
  findJobArchiveInPipelineTree,
  type JobArchive,
  listArtifactIds,
} from './artifact.store.ts'
import { expireProjectArtifactsTask } from './artifact.tasks.ts'
import { findLatestSuccessfulPipelineId } from './artifact.ts'
import { contentTypeOfPath } from './content-type.ts'
import { listArchiveFolder } from './list-archive-folder.ts'
import { mayReadJobArchive, openJobArchive, type ReadableJobArchive } from './open-archive.ts'

const tag = 'Job artifacts'
const endpoint = endpointFactory({ tag, on: projectLoader })

const ofJob = '/projects/:id/jobs/:job_id/artifacts' as const
const ofRef = '/projects/:id/jobs/artifacts/:ref_name' as const
const jobInput = { job_id: Type.Integer() }
const refInput = {
  ref_name: Type.String({ description: 'Branch or tag.' }),
  job: Type.String({ description: 'Name of the job.' }),
}
/** Accepts any text, since invalid paths are refused with a message of their own. */
const pathInput = {
  artifact_path: Type.Unsafe<string>({
    type: 'string',
    format: 'content',
    description: 'Path of a file in the archive.',
  }),
}

const TreeEntryJson = namedObject('ArtifactEntry', {
  name: Type.String(),
  path: Type.String(),
  type: Type.String(),
  size: Type.Optional(Type.Integer()),
})

const KeptJobJson = namedObject('KeptJob', {
  ...ShownJobJson.properties,
  failure_reason: nullableText,
  download_url: nullableText,
})

type ArtifactContext<Input = unknown> = Context<Project, Input>

/** Throws 404 if the job does not exist or belongs to another project. */
async function getJob({
  db,
  subject: project,
  input,
}: ArtifactContext<{ job_id: number }>): Promise<Job> {
  const job = await findJob(db, input.job_id)
  if (job?.project_id !== project.id || job.kind !== 'build') throw recordNotFound()
  return job
}

async function getArchive(
  context: ArtifactContext<{ job_id: number }>,
): Promise<ReadableJobArchive<JobArchive>> {
  const { db, subject: project, input } = context
  const job = { project_id: project.id, job_id: input.job_id }
  const archive = await findJobArchive(db, job)
  if (!archive) throw notFound()
  return refuseHidden(context, archive)
}

/** Returns the archive of the newest successful pipeline of the reference. */
async function getLatestArchive(
  context: ArtifactContext<{ ref_name: string; job: string }>,
): Promise<ReadableJobArchive<JobArchive>> {
  const { db, subject: project, input } = context
  const pipeline_id = await findLatestSuccessfulPipelineId(db, {
    project_id: project.id,
    ref: input.ref_name,
  })
  const archive =
    pipeline_id && (await findJobArchiveInPipelineTree(db, { pipeline_id, job: input.job }))
  if (!archive) throw recordNotFound()
  return refuseHidden(context, archive)
}

function refuseHidden(
  context: ArtifactContext,
  archive: JobArchive,
): ReadableJobArchive<JobArchive> {
  if (!mayReadJobArchive(context, archive)) throw forbidden()
  return archive
}

async function answerArchive(
  { config, request }: ArtifactContext,
  archive: ReadableJobArchive,
): Promise<Answer> {
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': String(archive.size),
    'Content-Disposition': contentDisposition('attachment', archive.filename),
    'Content-Transfer-Encoding': 'binary',
  }
  // The body is an empty stream. Without a stream Fastify would send `content-length: 0`.
  if (request.method === 'HEAD') return Answer.raw(Readable.from([]), headers)
  return Answer.raw(await openJobArchive(config, archive), headers)
}

function zipOf({ config }: ArtifactContext, archive: ReadableJobArchive): ZipFile {
  return { size: Number(archive.size), read: (range) => openJobArchive(config, archive, range) }
}

/** Returns one file of the archive without unpacking the rest. */
async function answerFile(
  context: ArtifactContext,
  archive: ReadableJobArchive<JobArchive>,
  path: string,
): Promise<Answer> {
  const { clock, request } = context
  if (path.includes('\0') || path.split(/[\\/]/).includes('..')) throw badRequest()
  const isOver = archive.expire_at !== null && archive.expire_at <= clock().toISOString()
  if (isOver && !archive.locked) throw notFound()
  const zip = zipOf(context, archive)
  try {
    const entry = await findZipEntry(zip, path)
    if (!entry || !isZipEntryReadable(entry)) throw notFound()
    const name = path.slice(path.lastIndexOf('/') + 1)
    const headers = {
      'content-type': contentTypeOfPath(name),
      'content-length': String(entry.size),
      'Content-Disposition': contentDisposition('attachment', name),
      'Content-Security-Policy': "default-src 'none'; sandbox",
    }
    if (request.method === 'HEAD') return Answer.raw(Readable.from([]), headers)
    return Answer.raw(await openZipEntry(zip, entry), headers)
  } catch (error) {
    // A file that is not a zip contains no files.
    if (error instanceof ZipError) throw notFound()
    throw error
  }
}

export const artifactEndpoints = [
  endpoint({
    route: `GET ${ofJob}`,
    jobToken: 'premium',
    summary: 'Get the archive of a job',
    allow: mayReadArtifacts,
    input: Type.Object(jobInput),
    answer: binaryBody(),
    run: async (context) => answerArchive(context, await getArchive(context)),
  }),

  endpoint({
    route: `GET ${ofRef}/download`,
    jobToken: 'premium',
    summary: 'Get the archive of a job of the latest successful pipeline',
    slashed: ['ref_name'],
    allow: mayReadArtifacts,
    input: Type.Object(refInput),
    answer: binaryBody(),
    run: async (context) => answerArchive(context, await getLatestArchive(context)),
  }),

  endpoint({
    route: `GET ${ofJob}/tree`,
    summary: 'List a folder of the archive of a job',
    jobToken: 'premium',
    allow: mayReadArtifacts,
    input: Type.Object({
      ...jobInput,
      path: Type.Optional(Type.String({ description: 'Path of the folder; none is the archive.' })),
      ...pageInput,
    }),
    answer: Type.Array(TreeEntryJson),
    async run(context) {
      const { input, range } = context
      const archive = await getArchive(context)
      const found = await listArchiveFolder(
        zipOf(context, archive),
        trimEndOf(input.path ?? '', '/'),
      )
      // An artifact can itself contain a file `tree`, which this URL serves like the URL of any other file.
      if (found.hasOwnTree && input.path === undefined) {
        return answerFile(context, archive, 'tree')
      }
      if (found.entries.length === 0 && input.path) throw notFound()
      const items = found.entries.slice(range.offset, range.offset + range.per_page)
      return new Page({ items, total: found.entries.length })
    },
  }),

  endpoint({
    route: `GET ${ofJob}/:artifact_path`,
    jobToken: 'premium',
    summary: 'Get a file of the archive of a job',
    slashed: ['artifact_path'],
    allow: mayReadArtifacts,
    input: Type.Object({ ...jobInput, ...pathInput }),
    answer: binaryBody(),
    async run(context) {
      return answerFile(context, await getArchive(context), context.input.artifact_path)
    },
  }),

  endpoint({
    route: `GET ${ofRef}/raw/:artifact_path`,
    jobToken: 'premium',
    summary: 'Get a file of the archive of a job of the latest successful pipeline',
    slashed: ['ref_name', 'artifact_path'],
    allow: mayReadArtifacts,
    input: Type.Object({ ...refInput, ...pathInput }),
    answer: binaryBody(),
    async run(context) {
      return answerFile(context, await getLatestArchive(context), context.input.artifact_path)
    },
  }),

  endpoint({
    route: `POST ${ofJob}/keep`,
    summary: 'Keep the artifacts of a job',
    allow: mayKeepJobArtifacts,
    input: Type.Object(jobInput),
    answer: KeptJobJson,
    async run(context) {
      const { db, subject: project } = context
      const job = await getJob(context)
      if ((await listArtifactIds(db, job.id)).length === 0) throw notFound()
      await clearArtifactExpiry(db, job.id)
      const kept = { ...job, artifacts_expire_at: null }
      const { failure_reason = null, ...shown } = await showJob(context, project, kept)
      // The documentation lists both fields for all jobs.
      return { ...shown, failure_reason, download_url: null }
    },
  }),

  endpoint({
    route: `DELETE ${ofJob}`,
    summary: 'Delete the artifacts of a job',
    allow: mayAdminArtifacts,
    input: Type.Object(jobInput),
    status: 204,
    async run(context) {
      const { db, clock } = context
      const { id } = await getJob(context)
      await removeArtifacts(db, clock, await listArtifactIds(db, id))
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id/artifacts',
    summary: 'Delete the artifacts of a project, except the latest of each reference',
    allow: mayAdminArtifacts,
    status: 202,
    answer: MessageJson,
    async run({ db, clock, subject: project }) {
      const payload = { project_id: project.id }
      await enqueue(db, clock, {
        task: expireProjectArtifactsTask,
        key: String(project.id),
        payload,
      })
      return acceptedAnswer()
    },
  }),
]
