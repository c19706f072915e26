// What changed, file by file: figures of all files first, then their text in pages.
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { fetchUrl } from '../../api/call.ts'
import { readCachedUrl, useApiUrl } from '../../api/use-api.ts'
import { repository } from '../../text/repository.ts'
import { EmptyState, LoadingRows } from '../../ui/blank/blank.tsx'
import { Button } from '../../ui/button/button.tsx'
import { useKeyActions } from '../../ui/keys.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { currentUrl, currentUrlWithQuery, replaceUrl, scrollToHash } from '../../ui/navigation.ts'
import { RefusalNote } from '../../ui/refusal/refusal.tsx'
import { SearchField } from '../../ui/search-field/search-field.tsx'
import { showToast } from '../../ui/toast/toast.tsx'
import { DiffFiller } from './diff-filler.ts'
import {
  type DiffQuery,
  diffFileListQuery,
  firstDiffTextsQuery,
  text_files_per_page,
  whitespaceQuery,
} from './diff-query.ts'
import type { PictureNotes } from './picture-diff.tsx'
import './diff.css'

/** A changed file as the API tells it (docs/api/repository.md, "Diffs by file"). */
export type ChangedFile = {
  old_path: string
  new_path: string
  a_mode: string
  b_mode: string
  new_file: boolean
  renamed_file: boolean
  deleted_file: boolean
  diff?: string
  added_lines: number | null
  removed_lines: number | null
  generated_file: boolean
  collapsed: boolean
  too_large: boolean
}

const PictureDiff = lazyComponent(() =>
  import('./picture-diff.tsx').then(({ PictureDiff: View }) => View),
)

/** Returns the address of a file before or after the change. */
export type RawFileHref = (path: string, side: 'before' | 'after') => string | undefined

const first_files = 6
/** Figures of more files come into the page by themselves, a page of the list at a time, up to so many files. */
const listed_max = 5_000
const wide_px = 1_100

/** What stands between the lines of a diff, and beside the names of its files. */
export type DiffExtras = {
  /** The lines of a file are in the page. `element` has a row for each, with the numbers in `data-old` and `data-new`. */
  onFilled: (file: ChangedFile, element: HTMLElement) => void
  /** What the parts of a file depend on: a file is drawn again only when one of these is another one. */
  stateOf: (file: ChangedFile) => readonly unknown[]
  /** At the end of a file's head. */
  actionsOf: (file: ChangedFile) => ComponentChildren
  /** Above the lines of a file, or below the picture that it is. */
  notesOf: (file: ChangedFile) => ComponentChildren
  pictureNotesOf: (file: ChangedFile) => PictureNotes
  /** Whether the file is folded unless somebody opens it. */
  isFolded: (file: ChangedFile) => boolean
}

/**
 * `urlOf` names the list; `fileHref` leads to a file as it is after the change. Where `readText` has its text, lines between
 * the changes can be shown. `rawHref` has the pictures that are compared.
 */
export function Diff({
  urlOf,
  fileHref,
  rawHref,
  readText,
  extras,
}: {
  urlOf: (query: DiffQuery) => string
  fileHref: (path: string) => string
  rawHref?: RawFileHref
  readText?: (path: string) => Promise<string | undefined>
  extras?: DiffExtras
}) {
  const url = currentUrl.value
  const space = whitespaceQuery(url)
  const [pages, setPages] = useState(1)
  const [more, setMore] = useState<readonly ChangedFile[]>([])
  // The first files are painted before there is anything of the others; not where one of them is asked for.
  const [isWhole, setWhole] = useState(url.hash !== '')
  // The figures of all files are asked for only where the first texts are not those of all.
  const first = useApiUrl<ChangedFile[]>(urlOf(firstDiffTextsQuery(url)))
  const isLong = first.page !== undefined && first.page.next !== null
  const listed = useApiUrl<ChangedFile[]>(isLong ? urlOf(diffFileListQuery(url)) : undefined)
  const data = listed.data ?? first.data
  const { page } = listed.data ? listed : first
  const { refusal, again } = first
  const isRoomy = useWidth() >= wide_px
  const isWide = isRoomy && url.searchParams.get('view') === 'side'
  const box = useRef<HTMLDivElement>(null)
  const files = useMemo(() => [...(data ?? []), ...more], [data, more])
  const onFilled = useRef<(element: HTMLElement) => void>(() => {})
  onFilled.current = (element) => {
    const file = files[Number(element.dataset.index)]
    if (file) extras?.onFilled(file, element)
  }
  const filler = useFiller({ urlOf, space, isWide, onFilled })
  const toggle = (name: string, value: string) =>
    replaceUrl(currentUrlWithQuery({ [name]: url.searchParams.get(name) === value ? '' : value }))
  useKeyActions([
    { name: repository.nextChange, keys: 'n', run: () => step(box.current, '.diff-first', 1) },
    {
      name: repository.previousChange,
      keys: 'p',
      run: () => step(box.current, '.diff-first', -1),
    },
    { name: repository.nextFile, keys: ']', run: () => step(box.current, '.diff-file', 1) },
    { name: repository.previousFile, keys: '[', run: () => step(box.current, '.diff-file', -1) },
    { name: repository.ignoreSpace, keys: 'z', run: () => toggle('w', '1') },
    ...(isRoomy
      ? [{ name: repository.sideBySide, keys: 's', run: () => toggle('view', 'side') }]
      : []),
  ])
  useEffect(() => {
    if (!data || isWhole) return
    const timer = setTimeout(() => setWhole(true))
    return () => clearTimeout(timer)
  }, [data, isWhole])
  useEffect(() => {
    if (data && url.hash) scrollToHash(url.hash)
  }, [data])
  const total = page?.total ?? files.length
  const showMore = async () => {
    const query = { ...diffFileListQuery(url), page: pages + 1 }
    const { data: next } = await fetchUrl<ChangedFile[]>(urlOf(query))
    setPages(pages + 1)
    setMore([...more, ...next])
  }
  const isMissing = Boolean(listed.data) && total > files.length && files.length < listed_max
  useEffect(() => {
    if (!isMissing || !isWhole) return
    // Whoever reads the first files is not kept waiting; what cannot be read is asked for by the button.
    const timer = requestIdleCallback(() => void showMore().catch(() => undefined))
    return () => cancelIdleCallback(timer)
  }, [isMissing, isWhole, pages])
  // An element for each file as long as it is the same: of thousands, a press changes one.
  const made = useMemo(() => new WeakMap<ChangedFile, Made>(), [filler])
  if (refusal && !data) return <RefusalNote refusal={refusal} onAgain={again} />
  if (!data) return <LoadingRows rows={10} />
  if (data.length === 0) {
    return (
      <EmptyState title={repository.noChanges}>
        <p>{repository.noChangesText}</p>
      </EmptyState>
    )
  }
  return (
    <div class="diff" ref={box}>
      <div class="diff-bar">
        <strong>{repository.changedFiles(total)}</strong>
        <Figures added={sum(files, 'added_lines')} removed={sum(files, 'removed_lines')} />
        <span class="grow" />
        <Button aria-pressed={space.whitespace === 'ignore'} onClick={() => toggle('w', '1')}>
          {repository.ignoreSpace}
        </Button>
        {isRoomy ? (
          <Button aria-pressed={isWide} onClick={() => toggle('view', 'side')}>
            {repository.sideBySide}
          </Button>
        ) : null}
      </div>
      <FileList files={files} />
      {files.slice(0, isWhole ? undefined : first_files).map((file, index) => {
        const isFolded = extras?.isFolded(file) ?? false
        const href = file.deleted_file ? undefined : fileHref(file.new_path)
        const pictures = isPicture(file) && {
          before: file.new_file ? undefined : rawHref?.(file.old_path, 'before'),
          after: file.deleted_file ? undefined : rawHref?.(file.new_path, 'after'),
        }
        const hasText = readText !== undefined && !file.deleted_file && !file.new_file
        const state: unknown[] = [isFolded, href, hasText, ...Object.values(pictures || {})]
        if (extras) state.push(...extras.stateOf(file))
        const known = made.get(file)
        if (known?.state.every((one, at) => one === state[at])) return known.view
        const view = (
          <FileChange
            key={`${nameOf(file)} ${isWide} ${space.whitespace ?? ''}`}
            file={file}
            index={index}
            filler={filler}
            readWhole={() =>
              fetchUrl<ChangedFile[]>(
                urlOf({ ...space, expanded: true, per_page: 1, page: index + 1 }),
              ).then(({ data: [one] }) => one)
            }
            href={href}
            isFolded={isFolded}
            actions={extras?.actionsOf(file)}
            notes={extras?.notesOf(file)}
            picture={
              pictures && rawHref ? (
                <PictureDiff
                  path={file.new_path}
                  {...pictures}
                  notes={extras?.pictureNotesOf(file)}
                />
              ) : undefined
            }
            readText={hasText ? readText : undefined}
            isWide={isWide}
          />
        )
        made.set(file, { state, view })
        return view
      })}
      {total > files.length && listed.data ? (
        <Button onClick={() => void showMore()}>
          {repository.moreFiles(total - files.length)}
        </Button>
      ) : null}
    </div>
  )
}

/** A file as it was drawn last, and the state it was drawn of. */
type Made = { state: readonly unknown[]; view: VNode }

/** The names of the files, which lead to their changes; a long list is made when it is opened, or filtered. */
function FileList({ files }: { files: readonly ChangedFile[] }) {
  const [isOpen, setOpen] = useState(files.length <= 12)
  const part = currentUrl.value.searchParams.get('file') ?? ''
  const found = part === '' ? files : files.filter(hasPart(part))
  return (
    <>
      {files.length > 1 ? <FileFilter files={files} part={part} found={found.length} /> : null}
      <details
        class="diff-list"
        open={isOpen || part !== ''}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>{repository.files}</summary>
        {isOpen || part !== '' ? (
          <ul>
            {found.map((file) => (
              <li key={nameOf(file)} class="diff-listed">
                <a href={`#${idOf(file)}`}>{file.new_path}</a>
                <Figures added={file.added_lines} removed={file.removed_lines} />
              </li>
            ))}
          </ul>
        ) : null}
      </details>
    </>
  )
}

/** Filters the names of the files by a part of the path; Enter goes to the first of them. */
function FileFilter({
  files,
  part,
  found,
}: {
  files: readonly ChangedFile[]
  part: string
  found: number
}) {
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        // The address may be behind what was typed last.
        const typed = event.currentTarget.querySelector('input')?.value.trim() ?? ''
        const first = files.find(hasPart(typed))
        if (!first) return
        const hash = `#${idOf(first)}`
        replaceUrl(currentUrlWithQuery({ file: typed }) + hash)
        scrollToHash(hash)
        const section = document.getElementById(decodeURIComponent(hash.slice(1)))
        if (!section) return
        section.tabIndex = -1
        section.focus({ preventScroll: true })
      }}
    >
      <SearchField label={repository.filterFiles} name="file" />
      <span class="muted" role="status">
        {part === ''
          ? ''
          : found === 0
            ? repository.noMatchingFiles
            : repository.matchingFiles(found, files.length)}
      </span>
    </form>
  )
}

/** Whether a file had or has a path with that part, in any case of letters. */
const hasPart =
  (part: string) =>
  ({ old_path, new_path }: ChangedFile): boolean =>
    `${old_path}\n${new_path}`.toLowerCase().includes(part.toLowerCase())

const nameOf = ({ old_path, new_path }: ChangedFile) => `${old_path} ${new_path}`
const idOf = ({ new_path }: ChangedFile) => `file:${encodeURIComponent(new_path)}`

const pictures = /\.(?:png|jpe?g|gif|webp|bmp|ico|avif)$/i
/** A picture is a binary file that browsers show; what is not in git itself is text that says where it is. */
const isPicture = ({ added_lines, new_path }: ChangedFile) =>
  added_lines === null && pictures.test(new_path)

function sum(files: readonly ChangedFile[], name: 'added_lines' | 'removed_lines'): number {
  return files.reduce((all, file) => all + (file[name] ?? 0), 0)
}

function Figures({ added, removed }: { added: number | null; removed: number | null }) {
  if (added === null || removed === null) return null
  return (
    <span class="diff-figures">
      <span class="diff-plus">
        {repository.plusLines(added)}
        <span class="only-spoken"> {repository.added(added)}</span>
      </span>{' '}
      <span class="diff-minus">
        {repository.minusLines(removed)}
        <span class="only-spoken"> {repository.removed(removed)}</span>
      </span>
    </span>
  )
}

/** One filler for a way to look at the files; it begins once they stand in the page. */
function useFiller({
  urlOf,
  space,
  isWide,
  onFilled,
}: {
  urlOf: (query: DiffQuery) => string
  space: DiffQuery
  isWide: boolean
  onFilled: { readonly current: (element: HTMLElement) => void }
}): DiffFiller {
  const first = urlOf(firstDiffTextsQuery(currentUrl.value))
  const filler = useMemo(() => {
    const asked = new Map<number, Promise<ChangedFile[]>>()
    const read = async (index: number) => {
      const page = Math.floor(index / text_files_per_page) + 1
      const before = asked.get(page)
      const reading =
        before ??
        (page === 1
          ? readCachedUrl<ChangedFile[]>(first)
          : fetchUrl<ChangedFile[]>(
              urlOf({ text: true, per_page: text_files_per_page, page, ...space }),
            ).then(({ data }) => data))
      asked.set(page, reading)
      return (await reading)[index % text_files_per_page]
    }
    return new DiffFiller(read, { isWide, onFilled: (element) => onFilled.current(element) })
  }, [first, isWide])
  useLayoutEffect(() => () => filler.end(), [filler])
  return filler
}

function useWidth(): number {
  const [width, setWidth] = useState(innerWidth)
  useEffect(() => {
    const listener = () => setWidth(innerWidth)
    window.addEventListener('resize', listener)
    return () => window.removeEventListener('resize', listener)
  }, [])
  return width
}

/** The next of what is marked so, from what is on top of the window. */
function step(whole: HTMLElement | null, selector: string, by: 1 | -1): void {
  const marks = [...(whole?.querySelectorAll<HTMLElement>(selector) ?? [])]
  const top = 60
  const next =
    by > 0
      ? marks.find((mark) => mark.getBoundingClientRect().top > top + 4)
      : marks.findLast((mark) => mark.getBoundingClientRect().top < top - 4)
  if (!next) return
  scrollBy({ top: next.getBoundingClientRect().top - top })
  next.tabIndex = -1
  next.focus({ preventScroll: true })
}

function FileChange({
  file,
  index,
  filler,
  readWhole,
  href,
  isFolded: isFoldedByReader,
  actions,
  notes,
  picture,
  readText,
  isWide,
}: {
  file: ChangedFile
  index: number
  filler: DiffFiller
  readWhole: () => Promise<ChangedFile | undefined>
  href: string | undefined
  isFolded: boolean
  actions: ComponentChildren
  notes: ComponentChildren
  picture: ComponentChildren | undefined
  readText: ((path: string) => Promise<string | undefined>) | undefined
  isWide: boolean
}) {
  const body = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(!isFoldedByReader)
  useEffect(() => setOpen(!isFoldedByReader), [isFoldedByReader])
  const [note, setNote] = useState<Note | undefined>(noteOf(file))
  const isFolded = note !== undefined
  // Before the page is painted, so that the first text is there with it.
  useLayoutEffect(() => {
    const element = body.current
    const onLeftOut = () => setNote({ words: repository.largeDiff, isMore: true })
    if (element && !isFolded) filler.add(index, { element, path: file.new_path, onLeftOut })
  }, [filler])
  const unfold = async () => {
    const found = await readWhole().catch(() => undefined)
    if (!found?.diff)
      return setNote({ words: found?.too_large ? repository.tooLarge : repository.binaryChange })
    setNote(undefined)
    if (body.current) await filler.fill(body.current, file.new_path, found.diff)
  }
  const expand = async (target: EventTarget | null) => {
    const button = target instanceof Element ? target.closest('.diff-expand') : null
    if (!(button instanceof HTMLElement) || !readText) return
    const [text, { expandContext }] = await Promise.all([
      readText(file.new_path).catch(() => undefined),
      import('./expand-context.ts'),
    ])
    if (text === undefined) showToast(repository.linesNotShown)
    else await expandContext(button, { path: file.new_path, text, isWide })
  }
  const lines = (file.added_lines ?? 0) + (file.removed_lines ?? 0)
  const name = file.new_path
  return (
    <section
      class="diff-file"
      id={decodeURIComponent(idOf(file))}
      aria-label={repository.diffOf(name)}
      style={{ '--diff-lines': isOpen && !isFolded ? String(Math.min(lines + 7, 100_000)) : '0' }}
    >
      <div class="diff-head">
        <button
          type="button"
          class="diff-fold"
          aria-expanded={isOpen}
          aria-label={`${repository.toggleDiff}: ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? '▾' : '▸'}
        </button>
        <h2 class="diff-name">{href ? <a href={href}>{name}</a> : <del>{name}</del>}</h2>
        <Facts file={file} />
        <Figures added={file.added_lines} removed={file.removed_lines} />
        {actions}
      </div>
      {isOpen ? picture : null}
      {isOpen ? notes : null}
      {note && isOpen && !picture ? (
        <div class="diff-note">
          <p>{note.words}</p>
          {note.isMore ? (
            <Button onClick={() => void unfold()}>
              {repository.showDiff}
              <span class="only-spoken"> {name}</span>
            </Button>
          ) : null}
        </div>
      ) : null}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: it hears the presses of buttons inside. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the same. */}
      <div
        class="diff-body"
        ref={body}
        data-index={index}
        data-expands={readText ? '' : undefined}
        onClick={(event) => void expand(event.target)}
        hidden={!isOpen || isFolded}
      />
    </section>
  )
}

function Facts({ file }: { file: ChangedFile }) {
  const { new_file, deleted_file, renamed_file, old_path, a_mode, b_mode } = file
  const words = [
    new_file && repository.newFile,
    deleted_file && repository.deletedFile,
    renamed_file && repository.renamedFrom(old_path),
    !new_file && !deleted_file && a_mode !== b_mode && repository.modes(a_mode, b_mode),
  ].filter((one) => typeof one === 'string')
  return words.length === 0 ? null : <span class="muted diff-facts">{words.join(', ')}</span>
}

/** Why the text of a change is not shown, and whether it can be asked for. */
type Note = { words: string; isMore?: boolean }

function noteOf(file: ChangedFile): Note | undefined {
  if (file.too_large) return { words: repository.tooLarge }
  if (file.added_lines === null) return { words: repository.binaryChange }
  if (file.added_lines === 0 && file.removed_lines === 0) return { words: repository.noTextChange }
  if (file.generated_file) return { words: repository.generated, isMore: true }
  return undefined
}
