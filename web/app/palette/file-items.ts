// Finds files of the current project by letters of their path in order.
import { useEffect, useState } from 'preact/hooks'
import { palette } from '../../text/palette.ts'
import { encodePath } from '../../ui/navigation.ts'
import { rankPaths } from '../../ui/rank-paths.ts'
import { readPaths } from '../../ui/read-paths.ts'
import { shownPage } from '../show.ts'
import type { PaletteItem } from './palette-items.ts'

/** The best `limit` of the files; undefined `words` ask for nothing. */
export function useFileItems(words: string | undefined, limit: number): PaletteItem[] {
  const [paths, setPaths] = useState<readonly string[]>([])
  const place = shownPage.value?.at.place
  const isWanted = words !== undefined && place?.kind === 'project'
  const ref = place?.ref ?? undefined
  useEffect(() => {
    if (!isWanted || !place) return
    let isOver = false
    readPaths(place.id, ref).then(
      (read) => {
        if (!isOver) setPaths(read)
      },
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [isWanted, place?.id, ref])
  if (!isWanted || !place) return []
  const project = place.canonical_path.replace(/\/-\/.*$/, '')
  return rankPaths(paths, words, limit).map((path) => ({
    id: `file:${project}:${path}`,
    kind: palette.files,
    words: path,
    href: `${project}/-/blob/${encodePath(ref ?? 'HEAD')}/${encodePath(path)}`,
  }))
}
