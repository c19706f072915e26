// Which files of a merge request one has looked at, kept by the server, and the version one saw last, kept in this browser.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { invalidate, updateOptimistically } from '../../../api/cache.ts'
import { call, fetchUrl, untypedApiUrl } from '../../../api/call.ts'
import type { ChangedFile, ViewedFile } from '../../../api/operations.ts'
import { Refusal } from '../../../api/refusal.ts'
import { accountStorageKey, user } from '../../../api/session.ts'
import { apiReadUrl, useAllPages } from '../../../api/use-api.ts'
import type { RequestId } from './request-calls.ts'

const route = '/projects/:id/merge_requests/:merge_request_iid/viewed_files'
/** Of more versions that files were viewed in, the oldest count as outdated. */
const versions_max = 3
const pages_max = 20

export type Viewed = ReturnType<typeof useViewed>

/** `head` is the commit that is looked at: a file that has changed since it was viewed is to be viewed again. */
export function useViewed(of: RequestId, head: string) {
  const listInput = { ...of, per_page: 100 }
  const { data } = useAllPages(`GET ${route}`, user.value ? listInput : undefined)
  const changed = useChangedSince(of, head, data ?? none)
  const lastHead = useLastHead(of, head)
  const [refusal, setRefusal] = useState<Refusal>()
  const paths = useMemo(
    () =>
      new Set(
        (data ?? none)
          .filter(
            ({ path, head_sha }) => head_sha === head || changed.get(head_sha)?.has(path) === false,
          )
          .map(({ path }) => path),
      ),
    [data, changed, head],
  )
  return {
    lastHead,
    has: (path: string) => paths.has(path),
    count: paths.size,
    /** Why the server did not take the last change. */
    refusal,
    /** Shown at once, and taken back if it is refused. */
    set: async (path: string, isViewed: boolean) => {
      const takeBack = updateOptimistically<ViewedFile[]>(
        apiReadUrl(`GET ${route}`, listInput),
        (files) => {
          const others = files.filter((file) => file.path !== path)
          const viewed_at = new Date().toISOString()
          return isViewed ? [...others, { path, head_sha: head, viewed_at }] : others
        },
      )
      try {
        await (isViewed
          ? call(`PUT ${route}`, { ...of, path, head_sha: head })
          : call(`DELETE ${route}`, { ...of, path }))
        setRefusal(undefined)
      } catch (error) {
        takeBack()
        if (!(error instanceof Refusal)) throw error
        setRefusal(error)
      }
      invalidate(untypedApiUrl(`GET ${route}`, of))
    },
  }
}

const none: readonly ViewedFile[] = []

/** Paths that differ between older versions and the head, by version; a version that cannot be compared is missing. */
function useChangedSince(
  { id }: RequestId,
  head: string,
  files: readonly ViewedFile[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const [changed, setChanged] = useState<ReadonlyMap<string, ReadonlySet<string>>>(new Map())
  const heads = [...new Set(files.map(({ head_sha }) => head_sha))]
    .filter((one) => one !== head)
    .slice(-versions_max)
  useEffect(() => {
    if (heads.length === 0 || head === '') return
    let isOver = false
    void Promise.all(
      heads.map(async (from) => {
        const paths = await listChanged({ id, from, to: head }).catch(() => undefined)
        return paths ? [[from, paths] as const] : []
      }),
    ).then((found) => isOver || setChanged(new Map(found.flat())))
    return () => {
      isOver = true
    }
  }, [id, head, heads.join(' ')])
  return changed
}

/** Throws `Refusal`; undefined where there are more files than are worth reading. */
async function listChanged(input: {
  id: number
  from: string
  to: string
}): Promise<ReadonlySet<string> | undefined> {
  const paths = new Set<string>()
  let url: string | null = apiReadUrl('GET /projects/:id/repository/compare/diffs', {
    ...input,
    straight: true,
    text: false,
    per_page: 100,
  })
  for (let page = 0; url !== null; page += 1) {
    if (page === pages_max) return undefined
    const { data, page: pages }: Awaited<ReturnType<typeof fetchUrl<ChangedFile[]>>> =
      await fetchUrl<ChangedFile[]>(url)
    for (const { old_path, new_path } of data) paths.add(old_path).add(new_path)
    url = pages.next
  }
  return paths
}

/** The head that was shown before this one, in this browser. */
function useLastHead({ id, merge_request_iid }: RequestId, head: string): string | undefined {
  const name = accountStorageKey('seen', id, merge_request_iid)
  const [heads] = useState(() => (localStorage.getItem(name) ?? '').split(' ').filter(Boolean))
  useEffect(() => {
    if (head === '') return
    const kept = [...heads.filter((one) => one !== head), head].slice(-20)
    localStorage.setItem(name, kept.join(' '))
  }, [name, head])
  return heads.findLast((one) => one !== head)
}
