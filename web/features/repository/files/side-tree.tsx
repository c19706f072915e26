// Whether the files stand beside the one that is read: on wide screens, unless the reader has hidden them.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const wide = '(min-width: 1400px)'
const kept = 'file_tree'

type Tree = ComponentType<{
  id: number
  base: string
  refName: string
  commit: string
  path: string
}>

let loaded: Tree | undefined

/** `Tree` once it is there to be shown; `toggle` only where there is room for one. */
export function useSideTree(): { Tree: Tree | undefined; toggle: (() => void) | undefined } {
  const [isWide, setWide] = useState(() => matchMedia(wide).matches)
  const [isOpen, setOpen] = useState(() => localStorage.getItem(kept) !== 'hidden')
  const [Tree, setTree] = useState<Tree | undefined>(() => loaded)
  useEffect(() => {
    const query = matchMedia(wide)
    const listener = () => setWide(query.matches)
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  }, [])
  useEffect(() => {
    if (!isWide || !isOpen || Tree) return
    import('./file-tree.tsx').then(
      ({ FileTree }) => {
        loaded = FileTree
        setTree(() => FileTree)
      },
      () => {},
    )
  }, [isWide, isOpen, Tree])
  const toggle = () => {
    localStorage.setItem(kept, isOpen ? 'hidden' : 'shown')
    setOpen(!isOpen)
  }
  return { Tree: isWide && isOpen ? Tree : undefined, toggle: isWide ? toggle : undefined }
}
