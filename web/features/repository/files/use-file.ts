import { useEffect, useState } from 'preact/hooks'
import { type FileContents, findCachedFile, readFile } from '../../../api/file.ts'
import { Refusal } from '../../../api/refusal.ts'
import type { Place } from '../../../ui/page-module.ts'

export const fileRequestOf = ({ id, path, commit }: Place) => ({
  id,
  path: path ?? '',
  commit: commit ?? '',
})

/** The contents of the file of an address. */
export function useFile(place: Place): {
  file: FileContents | undefined
  refusal: Refusal | undefined
} {
  const asked = fileRequestOf(place)
  const known = findCachedFile(asked)
  const [refusal, setRefusal] = useState<Refusal>()
  const [, draw] = useState(0)
  const isWanted = !known && place.entry_type === 'blob'
  useEffect(() => {
    setRefusal(undefined)
    if (!isWanted) return
    let isOver = false
    readFile(asked).then(
      () => isOver || draw((count) => count + 1),
      (error: unknown) => {
        if (!isOver && error instanceof Refusal) setRefusal(error)
      },
    )
    return () => {
      isOver = true
    }
  }, [isWanted, asked.path, asked.commit])
  return { file: known, refusal }
}
