// Which files of a merge request one has looked at, and the version one saw last, kept in this browser.
import { useEffect, useState } from 'preact/hooks'
import { user } from '../../../api/session.ts'

type Kept = { heads: string[]; paths: Record<string, string> }

const nameOf = (id: number) => `viewed:${user.value?.id ?? 0}:${id}`

function read(id: number): Kept {
  try {
    return { heads: [], paths: {}, ...JSON.parse(localStorage.getItem(nameOf(id)) ?? '{}') }
  } catch {
    return { heads: [], paths: {} }
  }
}

export type Viewed = ReturnType<typeof useViewed>

/** `head` is the commit that is looked at: a file that was viewed at another one is to be looked at again. */
export function useViewed(id: number, head: string) {
  const [kept, setKept] = useState(() => read(id))
  const keep = (next: Kept) => {
    localStorage.setItem(nameOf(id), JSON.stringify(next))
    setKept(next)
  }
  const lastHead = kept.heads.findLast((one) => one !== head)
  useEffect(() => {
    if (head === '' || kept.heads.at(-1) === head) return
    keep({ ...kept, heads: [...kept.heads.filter((one) => one !== head), head].slice(-20) })
  }, [head])
  return {
    lastHead,
    has: (path: string) => kept.paths[path] === head,
    count: Object.values(kept.paths).filter((one) => one === head).length,
    set: (path: string, isViewed: boolean) => {
      const { [path]: _, ...others } = kept.paths
      keep({ ...kept, paths: isViewed ? { ...others, [path]: head } : others })
    },
  }
}
