import { useEffect, useState } from 'preact/hooks'
import { type ApiResponse, fetchUrl } from '../../../api/call.ts'
import type { Refusal } from '../../../api/refusal.ts'
import { apiReadUrl, useApiUrl } from '../../../api/use-api.ts'
import type { TreeEntry } from '../../../surfaces/tree/tree.tsx'

type Asked = { id: number; ref: string | undefined; path: string }

const page_entries = 100
/** More than that is not shown; the finder has every path. */
const entries_max = 5_000
/** How often, and how many times, the page asks again for last commits that the server is still looking for. */
const pause_ms = 3_000
const attempts_max = 100

/** The first page of a folder, which is shown before all others are there. */
export function treeUrl({ id, ref, path }: Asked, more: object = {}): string {
  return apiReadUrl('GET /projects/:id/repository/tree', {
    id,
    ...(ref === undefined ? {} : { ref }),
    ...(path === '' ? {} : { path }),
    per_page: page_entries,
    ...more,
  })
}

/** The entries of a folder: more of them, and their last commits, as they come. */
export function useTree(asked: Asked): {
  entries: readonly TreeEntry[] | undefined
  refusal: Refusal | undefined
  again: () => void
} {
  const { data, page, refusal, again } = useApiUrl<TreeEntry[]>(treeUrl(asked))
  const { id, ref, path } = asked
  const [rest, setRest] = useState<readonly TreeEntry[]>([])
  const [commits, setCommits] = useState<ReadonlyMap<string, TreeEntry['last_commit']>>(new Map())
  const next = page?.next
  useEffect(() => {
    let isOver = false
    setRest([])
    if (next) void readRest(next, () => isOver, setRest)
    return () => {
      isOver = true
    }
  }, [next])
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    setCommits(new Map())
    const show = (entries: readonly TreeEntry[]) =>
      setCommits(new Map(entries.map((entry) => [entry.path, entry.last_commit])))
    const read = async (attempt: number) => {
      const first = treeUrl({ id, ref, path }, { with_last_commit: true })
      const isWhole = await readRest(first, () => isOver, show)
      if (isOver || isWhole || attempt >= attempts_max) return
      timer = setTimeout(() => void read(attempt + 1), pause_ms)
    }
    if (data) void read(1)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [data, id, ref, path])
  const [entries, setEntries] = useState<readonly TreeEntry[]>()
  useEffect(() => {
    if (!data) return setEntries(undefined)
    const all = rest.length === 0 ? data : [...data, ...rest]
    setEntries(all.map((entry) => ({ ...entry, last_commit: commits.get(entry.path) ?? null })))
  }, [data, rest, commits])
  return { entries: entries ?? data, refusal, again }
}

/**
 * Reads every page of a list from this one on and reports it as it grows. Returns whether the server has found all of
 * it, which is also true when a page is refused.
 */
async function readRest(
  first: string,
  isOver: () => boolean,
  tell: (entries: readonly TreeEntry[]) => void,
): Promise<boolean> {
  let all: readonly TreeEntry[] = []
  let isWhole = true
  let url: string | null = first
  while (url !== null && all.length < entries_max) {
    const answered: ApiResponse<TreeEntry[]> | undefined = await fetchUrl<TreeEntry[]>(url).catch(
      () => undefined,
    )
    if (isOver() || !answered) return true
    if (answered.isTruncated) isWhole = false
    all = [...all, ...answered.data]
    tell(all)
    url = answered.page.next
  }
  return isWhole
}
