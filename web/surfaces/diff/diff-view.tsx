// What changed, file by file: the figures of all files first, texts by pages, every file foldable.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answer } from '../../api/call.ts'
import { useUrl } from '../../api/use-api.ts'
import { code, diffText } from '../../text/code.ts'
import { Waiting } from '../../ui/blank/blank.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Chip } from '../../ui/chip/chip.tsx'
import { useActions } from '../../ui/keys.ts'
import { encodePath } from '../../ui/navigation.ts'
import { RefusalNote } from '../../ui/refusal/refusal.tsx'
import { showDiff } from './diff.ts'

export type Changed = Answer<'GET /projects/:id/repository/compare/diffs'>[number]

const side_px = 1_100

type Look = { isSideBySide: boolean; hidesSpace: boolean }

/** `url` is a read of pages of changed files, without its query; `base` and `gitRef` are where a file can be opened. */
export function DiffView({ url, base, gitRef }: { url: string; base: string; gitRef: string }) {
  const [look, setLook] = useState<Look>({
    isSideBySide: localStorage.getItem('diff') === 'side' && innerWidth >= side_px,
    hidesSpace: false,
  })
  const [pages, setPages] = useState(1)
  const change = (changed: Partial<Look>) => setLook({ ...look, ...changed })
  const sides = () => {
    localStorage.setItem('diff', look.isSideBySide ? 'one' : 'side')
    change({ isSideBySide: !look.isSideBySide })
  }
  useActions([
    { name: diffText.sideBySide, keys: 's', run: sides },
    { name: diffText.hideSpace, keys: 'z', run: () => change({ hidesSpace: !look.hidesSpace }) },
    { name: diffText.changedFiles, keys: ']', isListed: false, run: () => step(1) },
    { name: diffText.changedFiles, keys: '[', isListed: false, run: () => step(-1) },
  ])
  return (
    <section class="diff" aria-label={diffText.changedFiles}>
      <div class="diff-bar">
        <Button look="quiet" keys="s" onClick={sides}>
          {look.isSideBySide ? diffText.oneColumn : diffText.sideBySide}
        </Button>
        <Button look="quiet" keys="z" onClick={() => change({ hidesSpace: !look.hidesSpace })}>
          {look.hidesSpace ? diffText.showSpace : diffText.hideSpace}
        </Button>
      </div>
      {Array.from({ length: pages }, (_, at) => (
        <DiffPage
          key={at}
          url={pageUrl(url, at + 1, look)}
          isLast={at === pages - 1}
          {...{ base, gitRef, look }}
          onMore={() => setPages(pages + 1)}
        />
      ))}
    </section>
  )
}

function pageUrl(url: string, page: number, { hidesSpace }: Look): string {
  const [path = '', query = ''] = url.split('?')
  const asked = new URLSearchParams(query)
  asked.set('text', 'true')
  asked.set('per_page', '100')
  asked.set('page', String(page))
  if (hidesSpace) asked.set('whitespace', 'ignore')
  return `${path}?${asked}`
}

type PageProps = {
  url: string
  base: string
  gitRef: string
  look: Look
  isLast: boolean
  onMore: () => void
}

function DiffPage({ url, base, gitRef, look, isLast, onMore }: PageProps) {
  const { data, page, refusal, again } = useUrl<Changed[]>(url)
  if (refusal && !data) return <RefusalNote refusal={refusal} onAgain={again} />
  if (!data) return <Waiting rows={8} />
  return (
    <>
      {data.length === 0 && isLast ? <p class="muted">{diffText.none}</p> : null}
      {data.map((file, at) => (
        <FileDiff
          key={`${file.old_path} ${file.new_path}`}
          isFirst={at < 4}
          {...{ file, base, gitRef, look, url, at }}
        />
      ))}
      {page?.next && isLast ? <Button onClick={onMore}>{diffText.more}</Button> : null}
    </>
  )
}

type FileProps = {
  file: Changed
  base: string
  gitRef: string
  look: Look
  url: string
  at: number
  isFirst: boolean
}

function FileDiff({ file, base, gitRef, look, url, at, isFirst }: FileProps) {
  const [isOpen, setOpen] = useState(!file.generated_file)
  const [isExpanded, setExpanded] = useState(false)
  const expanded = useUrl<Changed[]>(isExpanded ? expandedUrl(url, at) : undefined)
  const patch = expanded.data?.[0]?.diff ?? file.diff ?? ''
  const id = fileId(file.new_path)
  const folded = foldOf(file, { isOpen, isExpanded: patch !== '' && isExpanded })
  return (
    <article class="diff-file" id={id} aria-label={diffText.diffOf(file.new_path)}>
      <header class="diff-head">
        <span class="diff-path">{file.new_path}</span>
        {file.renamed_file ? <Chip>{diffText.renamed(file.old_path)}</Chip> : null}
        {file.new_file ? <Chip>{diffText.newFile}</Chip> : null}
        {file.deleted_file ? <Chip tone="failed">{diffText.deleted}</Chip> : null}
        <Figures file={file} />
        {file.deleted_file ? null : (
          <a
            href={`${base}/-/blob/${encodePath(gitRef)}/${encodePath(file.new_path)}`}
            aria-label={diffText.view(file.new_path)}
          >
            {code.source}
          </a>
        )}
      </header>
      {folded ? (
        <div class="diff-folded row">
          <span>{folded}</span>
          {file.too_large ? null : (
            <Button
              onClick={() => {
                setOpen(true)
                if (file.collapsed) setExpanded(true)
              }}
            >
              {diffText.show}
            </Button>
          )}
        </div>
      ) : (
        <Lines
          {...{ patch, id, isFirst }}
          isSideBySide={look.isSideBySide}
          label={diffText.diffOf(file.new_path)}
        />
      )}
    </article>
  )
}

/** Why a file's lines are not shown; undefined where they are. */
function foldOf(
  file: Changed,
  { isOpen, isExpanded }: { isOpen: boolean; isExpanded: boolean },
): string | undefined {
  if (file.too_large) return diffText.tooLarge
  if (file.collapsed && !isExpanded) return diffText.collapsed
  return isOpen ? undefined : diffText.generated
}

function Figures({ file: { added_lines: added, removed_lines: removed } }: { file: Changed }) {
  return (
    <span>
      {added === null ? null : (
        <span class="diff-plus" title={diffText.added(added)}>
          {diffText.plus(added)}
        </span>
      )}{' '}
      {removed === null ? null : (
        <span class="diff-minus" title={diffText.removed(removed)}>
          {diffText.minus(removed)}
        </span>
      )}
    </span>
  )
}

/** The place of the file among all, alone and as long as it may be. */
function expandedUrl(url: string, at: number): string {
  const [path = '', query = ''] = url.split('?')
  const asked = new URLSearchParams(query)
  const place = (Number(asked.get('page')) - 1) * 100 + at + 1
  asked.set('page', String(place))
  asked.set('per_page', '1')
  asked.set('expanded', 'true')
  return `${path}?${asked}`
}

type LinesProps = {
  patch: string
  isSideBySide: boolean
  id: string
  label: string
  isFirst: boolean
}

function Lines({ patch, isSideBySide, id, label, isFirst }: LinesProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!box.current || patch === '') return
    const words = { old: diffText.old, now: diffText.neu, line: diffText.line, label }
    const { end } = showDiff(box.current, { patch, isSideBySide, id, words, isFirst })
    return end
  }, [patch, isSideBySide])
  if (patch === '') return <p class="diff-folded">{diffText.noText}</p>
  return <div class="diff-lines" ref={box} />
}

/** An address of a file on the page: its path, as far as identifiers go. */
function fileId(path: string): string {
  return `file-${path.replaceAll(/[^\w.-]/g, '_')}`
}

function step(by: 1 | -1): void {
  const files = [...document.querySelectorAll<HTMLElement>('.diff-file')]
  const at = files.findIndex((file) => file.getBoundingClientRect().bottom > 60)
  const next = files[Math.max(0, Math.min(files.length - 1, at + by))]
  next?.scrollIntoView({ block: 'start' })
  const [link] = next?.getElementsByTagName('a') ?? []
  link?.focus({ preventScroll: true })
}
