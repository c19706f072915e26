import { useEffect, useState } from 'preact/hooks'
import { fetchUrl } from '../../../api/call.ts'
import type { Refusal } from '../../../api/refusal.ts'
import { need, useUrl } from '../../../api/use-api.ts'
import type { Entry } from '../../../surfaces/tree/tree.tsx'

type Asked = { id: number; ref: string | undefined; path: string }

const page_entries = 100
/** More than that is not shown; the finder has every path. */
const entries_max = 5_000

/** The first page of a folder, which is shown before all others are there. */
export function treeUrl({ id, ref, path }: Asked, more: object = {}): string {
  return need('GET /projects/:id/repository/tree', {
    id,
    ...(ref === undefined ? {} : { ref }),
    ...(path === '' ? {} : { path }),
    per_page: page_entries,
    ...more,
  })
}

/** The entries of a folder: more of them, and their last commits, as they come. */
export function useTree(asked: Asked): {
  entries: readonly Entry[] | undefined
  refusal: Refusal | undefined
  again: () => void
} {
  const { data, page, refusal, again } = useUrl<Entry[]>(treeUrl(asked))
  const { id, ref, path } = asked
  const [rest, setRest] = useState<readonly Entry[]>([])
  const [commits, setCommits] = useState<ReadonlyMap<string, Entry['last_commit']>>(new Map())
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
    setCommits(new Map())
    if (data) {
      const first = treeUrl({ id, ref, path }, { with_last_commit: true })
      void readRest(
        first,
        () => isOver,
        (entries) => setCommits(new Map(entries.map((entry) => [entry.path, entry.last_commit]))),
      )
    }
    return () => {
      isOver = true
    }
  }, [data, id, ref, path])
  const [entries, setEntries] = useState<readonly Entry[]>()
  useEffect(() => {
    if (!data) return setEntries(undefined)
    const all = rest.length === 0 ? data : [...data, ...rest]
    setEntries(all.map((entry) => ({ ...entry, last_commit: commits.get(entry.path) ?? null })))
  }, [data, rest, commits])
  return { entries: entries ?? data, refusal, again }
}

/** Every page of a list from this one on, told as it grows. What is refused on the way is left out. */
async function readRest(
  first: string,
  isOver: () => boolean,
  tell: (entries: readonly Entry[]) => void,
): Promise<void> {
  let all: readonly Entry[] = []
  let url: string | null = first
  while (url !== null && all.length < entries_max) {
    const answered: { data: Entry[]; page: { next: string | null } } | undefined = await fetchUrl<
      Entry[]
    >(url).catch(() => undefined)
    if (isOver() || !answered) return
    all = [...all, ...answered.data]
    tell(all)
    url = answered.page.next
  }
}
