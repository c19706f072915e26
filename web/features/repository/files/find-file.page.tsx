import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { user } from '../../../api/session.ts'
import { apiReadUrl } from '../../../api/use-api.ts'
import { repository } from '../../../text/repository.ts'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { currentUrl, currentUrlWithQuery, navigate, replaceUrl } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { rankPaths } from '../../../ui/rank-paths.ts'
import { readPaths } from '../../../ui/read-paths.ts'
import { RefPicker } from '../../../ui/ref-picker/ref-picker.tsx'
import './find-file.css'

const shown_max = 50
/** The address says what is typed once the typing pauses. */
const said_ms = 300

export const page: PageModule<PlaceLocation> = {
  calls: ({ place }) => [
    apiReadUrl('GET /projects/:id/repository/paths', { id: place.id, ref: place.ref ?? undefined }),
  ],
  View: FindFile,
}

function FindFile({ at: { place, url } }: { at: PlaceLocation }) {
  const [words, setWords] = useState(url.searchParams.get('q') ?? '')
  const [paths, setPaths] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState(0)
  const [base, refName] = [placeBasePath(place), place.ref ?? '']
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    void readPaths(place.id, place.ref ?? undefined).then(setPaths)
  }, [place.id, place.ref])
  useEffect(() => {
    // After the page's own arrival, which goes to the heading.
    setTimeout(() => field.current?.focus(), 0)
  }, [])
  const sayWords = () => replaceUrl(currentUrlWithQuery({ q: words }, currentUrl.value))
  useEffect(() => {
    if (words === (currentUrl.value.searchParams.get('q') ?? '')) return
    const timer = setTimeout(sayWords, said_ms)
    return () => clearTimeout(timer)
  }, [words])
  const found = rankPaths(paths, words, shown_max)
  const now = Math.min(chosen, found.length - 1)
  const hrefOf = (path: string) => repositoryPageUrl(base, 'blob', refName, path)
  useEffect(() => {
    list.current?.children[now]?.scrollIntoView({ block: 'nearest' })
  }, [now])
  return (
    <Page title={repository.findFile} isTitleHidden>
      <div class="row">
        <RefPicker
          projectId={place.id}
          now={refName}
          onPick={(name) => navigate(repositoryPageUrl(base, 'find_file', name))}
        />
        <input
          ref={field}
          class="field-control grow"
          type="text"
          role="combobox"
          aria-label={repository.findFile}
          aria-expanded={found.length > 0}
          aria-controls="found-paths"
          aria-autocomplete="list"
          aria-activedescendant={found[now] === undefined ? undefined : `found-${now}`}
          placeholder={repository.findFileHint}
          autocomplete="off"
          spellcheck={false}
          value={words}
          onInput={(event) => {
            setWords(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
            if (step) {
              event.preventDefault()
              setChosen(Math.max(0, Math.min(found.length - 1, now + step)))
            }
            const path = found[now]
            if (event.key !== 'Enter' || path === undefined) return
            sayWords()
            navigate(hrefOf(path))
          }}
        />
      </div>
      <div class="row row-apart">
        <p class="muted" role="status">
          {found.length === 0 && paths.length > 0
            ? repository.noMatchingFiles
            : repository.resultsOf(found.length)}
          {` · ${repository.totalFiles(paths.length)}`}
        </p>
        {user.value ? (
          <ButtonLink
            href={`/search?${new URLSearchParams({ project_id: `${place.id}`, search: words })}`}
          >
            {repository.searchCode}
          </ButtonLink>
        ) : null}
      </div>
      <div
        ref={list}
        class="find-file-list"
        role="listbox"
        id="found-paths"
        aria-label={repository.files}
      >
        {found.map((path, at) => (
          <a
            key={path}
            id={`found-${at}`}
            class="find-file-one"
            role="option"
            tabIndex={-1}
            aria-selected={at === now}
            href={hrefOf(path)}
          >
            <Letters path={path} words={words} />
          </a>
        ))}
      </div>
    </Page>
  )
}

/** The path, with the letters that were asked for marked. */
function Letters({ path, words }: { path: string; words: string }) {
  const pieces: ComponentChildren[] = []
  let end = 0
  for (const [from, to] of markedIn(path.toLowerCase(), words.toLowerCase().replace(/\s+/g, ''))) {
    pieces.push(path.slice(end, from), <mark key={from}>{path.slice(from, to)}</mark>)
    end = to
  }
  return (
    <span>
      {pieces}
      {path.slice(end)}
    </span>
  )
}

/** Where the words stand: together, as near the end as they do, or letter by letter. */
function markedIn(text: string, asked: string): [from: number, to: number][] {
  const whole = asked === '' ? -1 : text.lastIndexOf(asked)
  if (whole >= 0) return [[whole, whole + asked.length]]
  const runs: [number, number][] = []
  let at = 0
  for (const letter of asked) {
    const found = text.indexOf(letter, at)
    if (found < 0) break
    at = found + letter.length
    const last = runs.at(-1)
    if (last?.[1] === found) last[1] = at
    else runs.push([found, at])
  }
  return runs
}
