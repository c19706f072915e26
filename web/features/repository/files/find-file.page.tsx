import { useEffect, useRef, useState } from 'preact/hooks'
import { need } from '../../../api/use-api.ts'
import { repository } from '../../../text/repository.ts'
import { here, navigate, say, withQuery } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { addressOf, baseOf } from '../../../ui/project-address.ts'
import { rankPaths } from '../../../ui/rank-paths.ts'
import { readPaths } from '../../../ui/read-paths.ts'
import { RefPicker } from '../../../ui/ref-picker/ref-picker.tsx'
import './find-file.css'

const shown_max = 50

export const page: PageModule<AtPlace> = {
  calls: ({ place }) => [
    need('GET /projects/:id/repository/paths', { id: place.id, ref: place.ref ?? undefined }),
  ],
  View: FindFile,
}

function FindFile({ at: { place, url } }: { at: AtPlace }) {
  const [words, setWords] = useState(url.searchParams.get('q') ?? '')
  const [paths, setPaths] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState(0)
  const [base, refName] = [baseOf(place), place.ref ?? '']
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    void readPaths(place.id, place.ref ?? undefined).then(setPaths)
  }, [place.id, place.ref])
  useEffect(() => {
    // After the page's own arrival, which goes to the heading.
    setTimeout(() => field.current?.focus(), 0)
  }, [])
  const found = rankPaths(paths, words, shown_max)
  const now = Math.min(chosen, found.length - 1)
  const hrefOf = (path: string) => addressOf(base, 'blob', refName, path)
  useEffect(() => {
    list.current?.children[now]?.scrollIntoView({ block: 'nearest' })
  }, [now])
  return (
    <Page title={repository.findFile} isTitleHidden>
      <div class="row">
        <RefPicker
          projectId={place.id}
          now={refName}
          onPick={(name) => navigate(addressOf(base, 'find_file', name))}
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
            say(withQuery({ q: event.currentTarget.value }, here.value))
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
            if (step) {
              event.preventDefault()
              setChosen(Math.max(0, Math.min(found.length - 1, now + step)))
            }
            const path = found[now]
            if (event.key === 'Enter' && path !== undefined) navigate(hrefOf(path))
          }}
        />
      </div>
      <p class="muted" role="status">
        {found.length === 0 && paths.length > 0
          ? repository.findFileNone
          : repository.resultsOf(found.length)}
        {` · ${repository.filesInAll(paths.length)}`}
      </p>
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
  const asked = words.toLowerCase().replace(/\s+/g, '')
  const text = path.toLowerCase()
  const whole = asked === '' ? -1 : text.lastIndexOf(asked)
  const marked = new Set<number>()
  if (whole >= 0) for (let at = 0; at < asked.length; at += 1) marked.add(whole + at)
  else {
    let at = -1
    for (const letter of asked) {
      at = text.indexOf(letter, at + 1)
      marked.add(at)
    }
  }
  return (
    <span>
      {[...path].map((letter, at) => (marked.has(at) ? <mark key={at}>{letter}</mark> : letter))}
    </span>
  )
}
