// The palette: finds projects, users, files, and the actions of the current page by name (ARIA practices, "Combobox").
import { useEffect, useState } from 'preact/hooks'
import { findCachedProject, mayInProject } from '../../api/project.ts'
import { palette } from '../../text/palette.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { navigate } from '../../ui/navigation.ts'
import type { Place } from '../../ui/page-module.ts'
import { shownPage } from '../show.ts'
import { useFileItems } from './file-items.ts'
import { findLocalPaletteItems, listRecentPaletteItems, type PaletteItem } from './palette-items.ts'
import { usePalettePlaces } from './places.ts'
import { useServerItems } from './server-items.ts'
import './palette.css'

const rows_max = 40
/** The number of pages and actions that are listed besides the results of the server. */
const local_max = 8

// biome-ignore lint/style/noDefaultExport: what is loaded late is asked for so.
export default function Palette({ onClose, start = '' }: { onClose: () => void; start?: string }) {
  const [words, setWords] = useState(start)
  const [at, setAt] = useState(0)
  const { finds, isWaiting } = useFinds(words)
  const chosen = Math.min(at, finds.length - 1)
  // If Enter is pressed before the first row is there, the row is chosen as soon as it appears.
  const [isTaken, setTaken] = useState(false)
  useEffect(() => {
    if (isTaken && finds.length > 0) take(finds[0])
    if (isTaken && !isWaiting) setTaken(false)
  })
  const take = (find: PaletteItem | undefined) => {
    if (!find) {
      if (isWaiting) setTaken(true)
      return
    }
    onClose()
    if (find.run) find.run()
    else if (find.href) navigate(find.href)
  }
  return (
    <Dialog title={palette.title} onClose={onClose} isWide>
      <div class="palette">
        <input
          class="field-control palette-input"
          type="text"
          role="combobox"
          aria-label={palette.label}
          aria-expanded="true"
          aria-controls="palette-finds"
          aria-activedescendant={finds.length > 0 ? `palette-${chosen}` : undefined}
          autocomplete="off"
          spellcheck={false}
          placeholder={palette.label}
          autofocus
          value={words}
          onInput={(event) => {
            setWords(event.currentTarget.value)
            setAt(0)
            setTaken(false)
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') setAt((chosen + 1) % Math.max(1, finds.length))
            else if (event.key === 'ArrowUp')
              setAt((chosen - 1 + finds.length) % Math.max(1, finds.length))
            else if (event.key === 'Enter') take(finds[chosen])
            else return
            event.preventDefault()
          }}
        />
        <div class="palette-finds" id="palette-finds" role="listbox" aria-label={palette.title}>
          {finds.map((find, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above.
            <div
              key={find.id}
              id={`palette-${place}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === chosen}
              class="palette-find"
              ref={(row) => {
                if (place === chosen) row?.scrollIntoView({ block: 'nearest' })
              }}
              onClick={() => take(find)}
            >
              <span class="palette-words one-line">{find.words}</span>
              {find.keys ? <kbd>{find.keys}</kbd> : null}
              <span class="palette-kind">{find.kind}</span>
            </div>
          ))}
        </div>
        {finds.length === 0 ? (
          <p class="muted">{isWaiting ? palette.waiting : palette.noResults}</p>
        ) : null}
        <p class="palette-hint">{palette.hint}</p>
        <p class="only-spoken" role="status">
          {palette.results(finds.length)}
        </p>
      </div>
    </Dialog>
  )
}

const files_max = 30
const files_beside_max = 5
const letters_min = 2

/**
 * Groups of rows have a fixed order: recently opened, actions and pages, results of the server, files,
 * searches. The first ones are available at once. The others are added below when all of them have arrived,
 * so that no row moves.
 */
function useFinds(words: string): { finds: PaletteItem[]; isWaiting: boolean } {
  const place = shownPage.value?.at.place
  const places = usePalettePlaces(place)
  const isOfFiles = words.startsWith('~')
  const project = place?.kind === 'project' ? findCachedProject(place.id) : undefined
  const wantsFiles = words.length >= letters_min && !/^[>@#!:]/.test(words)
  const asked = isOfFiles || (wantsFiles && mayInProject(project, 'download_code'))
  const files = useFileItems(
    asked ? words.replace(/^~/, '') : undefined,
    isOfFiles ? files_max : files_beside_max,
  )
  const late = useServerItems(words, place)
  if (isOfFiles) return { finds: files, isWaiting: false }
  const local = /^[@#!]/.test(words) ? [] : findLocalPaletteItems(words, places)
  if (words === '')
    return { finds: [...listRecentPaletteItems(), ...local].slice(0, rows_max), isWaiting: false }
  const isSearch = !/^[>@#!~:]/.test(words) && words.trim() !== ''
  const known = new Set(local.map(({ href }) => href))
  const below = late.isWaiting ? [] : [...files, ...(isSearch ? searchesFor(words, place) : [])]
  const found = late.finds.filter(({ href }) => !known.has(href))
  return {
    finds: [...local.slice(0, local_max), ...found, ...below].slice(0, rows_max),
    isWaiting: late.isWaiting,
  }
}

/** Returns links to the search pages of the server, listed after all items with a name. */
function searchesFor(words: string, place: Place | undefined): PaletteItem[] {
  const search = encodeURIComponent(words.trim())
  const inProject = place?.kind === 'project' && {
    id: 'search',
    kind: palette.searchInProject,
    words: palette.searchProject(words),
    href: `/search?project_id=${place.id}&search=${search}`,
  }
  const everywhere = {
    id: 'search all',
    kind: palette.searchEverywhere,
    words: palette.searchAll(words),
    href: `/search?search=${search}`,
  }
  return [...(inProject ? [inProject] : []), everywhere]
}
