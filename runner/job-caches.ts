// Steps of a job that restore and save its caches. Neither can fail a job.
import type { JobPayload } from '../src/ci/protocol.ts'
import { type CacheStore, type ExpandedJobCache, expandJobCache } from './cache.ts'
import { formatFileCount, type JobShell } from './job-shell.ts'

/** The caches of a job that have anything in them. */
export function cachesOfJob(shell: JobShell, job: JobPayload): ExpandedJobCache[] {
  const fallback = fallbackOf(shell, job)
  return (job.cache ?? [])
    .filter(({ paths, untracked }) => untracked || (paths && paths.length > 0))
    .map((cache) => expandJobCache(cache, { expand: (text) => shell.expand(text), fallback }))
}

/** The suffix of caches of protected branches; only jobs of these may use them. */
const protected_suffix = '-protected'

function fallbackOf({ variables }: JobShell, { git_info }: JobPayload): string | undefined {
  const key = variables.values.get('CACHE_FALLBACK_KEY')
  return key?.endsWith(protected_suffix) && !git_info.protected ? undefined : key
}

export async function restoreCaches(
  shell: JobShell,
  job: JobPayload,
  caches: CacheStore,
): Promise<void> {
  const wanted = cachesOfJob(shell, job).filter(({ pulls }) => pulls)
  if (wanted.length === 0) return
  await shell.section('restore_cache', 'Restoring cache', async () => {
    for (const { keys } of wanted) {
      try {
        const { project_id } = job.job_info
        const found = await caches.restore(project_id, keys, shell.place.project)
        if (found) shell.log.writeLine(`${found.key}: ${formatFileCount(found.files)}`)
        else shell.log.writeLine(`${keys[0]}: no cache found`)
      } catch (error) {
        shell.log.writeLine(
          `WARNING: cache ${keys[0]} could not be restored: ${(error as Error).message}`,
        )
      }
    }
  })
}

export async function saveCaches(
  shell: JobShell,
  job: JobPayload,
  { wanted, caches }: { wanted: ExpandedJobCache[]; caches: CacheStore },
): Promise<void> {
  if (wanted.length === 0) return
  await shell.section('archive_cache', 'Saving cache', async () => {
    for (const cache of wanted) {
      try {
        const untracked = cache.untracked ? await shell.listUntracked() : []
        const { project_id } = job.job_info
        const saved = await caches.save(project_id, cache, {
          folder: shell.place.project,
          untracked,
        })
        for (const warning of saved.warnings) shell.log.writeLine(`WARNING: ${warning}`)
        shell.log.writeLine(`${saved.key}: ${formatFileCount(saved.files)}`)
      } catch (error) {
        shell.end.signal.throwIfAborted()
        shell.log.writeLine(
          `WARNING: cache ${cache.keys[0]} could not be saved: ${(error as Error).message}`,
        )
      }
    }
  })
}
