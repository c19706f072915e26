// Steps of a job that download the artifacts of other jobs and upload its own.
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { JobArtifacts, JobPayload } from '../src/ci/protocol.ts'
import { packArtifacts } from './artifacts.ts'
import { JobFailure } from './job-failure.ts'
import { formatFileCount, type JobShell } from './job-shell.ts'
import { isRetryable, type ProtocolClient } from './protocol-client.ts'

const fetches_max = 3
const uploads_max = 5

/** Unpacks the archives of the jobs that this one depends on into its folder, in their order. */
export async function fetchArtifactsOfDependencies(
  shell: JobShell,
  job: JobPayload,
  client: ProtocolClient,
): Promise<void> {
  const dependencies = (job.dependencies ?? []).filter((one) => one.artifacts_file)
  if (dependencies.length === 0) return
  const { unpackArchive } = await import('./archive.ts')
  await shell.section('download_artifacts', 'Downloading artifacts', async () => {
    for (const { id, name, token } of dependencies) {
      const path = join(shell.place.own, 'fetched.zip')
      const answer = await withRetries(fetches_max, shell.end.signal, async () => {
        await rm(path, { force: true })
        return client.downloadArtifacts({ id, token }, path, shell.end.signal)
      })
      if (answer.status !== 200) {
        throw new Error(
          `the artifacts of job ${name} (${id}) could not be downloaded: HTTP ${answer.status}`,
        )
      }
      const files = await unpackArchive(path, shell.place.project)
      await rm(path)
      shell.log.writeLine(`${name} (${id}): ${formatFileCount(files)}`)
    }
  })
}

/** Packs and uploads the files that `artifacts` selects. Without any files it only writes a log line. */
export async function uploadArtifactFiles(
  shell: JobShell,
  job: JobPayload,
  { given, client }: { given: JobArtifacts; client: ProtocolClient },
): Promise<void> {
  const artifacts: JobArtifacts = {
    ...given,
    name: given.name && basename(shell.expand(given.name)),
    paths: given.paths?.map((path) => shell.expand(path)) ?? [],
    exclude: given.exclude?.map((path) => shell.expand(path)),
  }
  const path = join(shell.place.own, 'handed-in')
  const { packed, warnings } = await packArtifacts(artifacts, {
    folder: shell.place.project,
    path,
    untracked: given.untracked ? await shell.listUntracked() : [],
  })
  for (const warning of warnings) shell.log.writeLine(`WARNING: ${warning}`)
  const type = artifacts.artifact_type
  if (!packed) {
    shell.log.writeLine(`${type}: no matching files`)
    return
  }
  const { filename, files } = packed
  const { signal } = shell.end
  const answer = await withRetries(uploads_max, signal, () =>
    client.uploadArtifacts(job, { path, filename, artifacts }, signal),
  )
  await rm(path)
  if (answer.status !== 201) throw notTaken(type, answer.status)
  shell.log.writeLine(`${type}: ${formatFileCount(files)} as ${filename}`)
}

function notTaken(type: string, status: number): JobFailure {
  const why = status === 413 ? 'they are too large' : `HTTP ${status}`
  // Artifacts that are too large would be refused again, because of the job and not of the runner.
  const reason = isRetryable(status) ? 'runner_system_failure' : 'script_failure'
  return new JobFailure(`the server rejected the artifacts (${type}): ${why}`, { reason })
}

/** Repeats the call while the server is unavailable or overloaded. */
async function withRetries<T extends { status: number }>(
  attempts: number,
  signal: AbortSignal,
  call: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const answer = await call().catch((error) => {
      if (signal.aborted || attempt === attempts) throw error
    })
    if (answer && (!isRetryable(answer.status) || attempt === attempts)) return answer
    await wait(200 * 3 ** attempt, undefined, { signal })
  }
}
