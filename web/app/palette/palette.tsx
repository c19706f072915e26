// Everything by its name: projects, people, files, and what this page can do (ARIA practices, "Combobox").
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Answer } from '../../api/call.ts'
import { useApi } from '../../api/use-api.ts'
import { palette } from '../../text/palette.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { navigate } from '../../ui/navigation.ts'
import { shown } from '../show.ts'
import { useFiles } from './files.ts'
import { type Find, findHere, last, remember } from './finds.ts'
import './palette.css'

const typing_ms = 80

// biome-ignore lint/style/noDefaultExport: what is loaded late is asked for so.
export default function Palette({ onClose, start = '' }: { onClose: () => void; start?: string }) {
  const [words, setWords] = useState(start)
  const [at, setAt] = useState(0)
  const finds = useFinds(words)
  const chosen = Math.min(at, finds.length - 1)
  const take = (find: Find | undefined) => {
    if (!find) return
    remember(find)
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
        {finds.length === 0 ? <p class="muted">{palette.noResults}</p> : null}
        <p class="palette-hint">{palette.hint}</p>
        <p class="only-spoken" role="status">
          {palette.results(finds.length)}
        </p>
      </div>
    </Dialog>
  )
}

/** What is at hand comes at once; what the server knows is added when it has answered. */
function useFinds(words: string): Find[] {
  const settled = useSettled(words)
  const place = shown.value?.at.place
  const sign = /^[>@#!~:]/.exec(words)?.[0] ?? ''
  const asked = settled.replace(/^[@#!]/, '').trim()
  const wantsServer = asked !== '' && !['>', '~', ':'].includes(sign)
  const { data } = useApi('GET /search/quick', wantsServer ? { q: asked } : undefined)
  const files = useFiles(sign === '~' ? words.slice(1) : undefined)
  return useMemo(() => {
    if (sign === '~') return files
    const here = findHere(words, sign)
    const known = new Set(here.map(({ id }) => id))
    const found = wantsServer ? listFinds(data, sign).filter(({ id }) => !known.has(id)) : []
    const search = {
      id: 'search all',
      kind: palette.searchEverywhere,
      words: palette.searchAll(words),
      href: `/search?search=${encodeURIComponent(words)}`,
    }
    const inProject = place?.kind === 'project' && {
      id: 'search',
      kind: palette.searchInProject,
      words: palette.searchProject(words),
      href: `/search?project_id=${place.id}&search=${encodeURIComponent(words)}`,
    }
    const isSearch = sign === '' && words.trim() !== ''
    return [
      ...(words === '' ? last() : []),
      ...here,
      ...found,
      ...(isSearch && inProject ? [inProject] : []),
      ...(isSearch ? [search] : []),
    ].slice(0, 40)
  }, [words, data, files, place])
}

function useSettled(words: string): string {
  const [settled, settle] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => settle(words), typing_ms)
    return () => clearTimeout(timer)
  }, [words])
  return settled
}

const kinds = {
  project: { sign: '', kind: palette.project },
  group: { sign: '', kind: palette.group },
  user: { sign: '@', kind: palette.user },
  issue: { sign: '#', kind: palette.issue },
  merge_request: { sign: '!', kind: palette.mergeRequest },
} as const

function listFinds(hits: Answer<'GET /search/quick'> | undefined, sign: string): Find[] {
  return (hits ?? [])
    .filter(({ type }) => sign === '' || sign === kinds[type].sign)
    .map(({ type, id, name, path, web_url }) => ({
      id: `${type}:${id}`,
      kind: kinds[type].kind,
      words: path === '' || path === name ? name : `${path}  ${name}`,
      href: new URL(web_url).pathname,
    }))
}
