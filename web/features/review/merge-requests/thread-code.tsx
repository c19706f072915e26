// What a thread on the overview of a merge request is on: the file, the lines, and whether these are still there.
import { useEffect, useRef, useState } from 'preact/hooks'
import { readFileText } from '../../../api/file.ts'
import type { Discussion } from '../../../api/operations.ts'
import { user } from '../../../api/session.ts'
import { useApi } from '../../../api/use-api.ts'
import { CodeExcerpt } from '../../../surfaces/code/excerpt.tsx'
import { review as words } from '../../../text/review.ts'
import { Chip } from '../../../ui/chip/chip.tsx'
import type { RequestId, RequestRecord } from './request-calls.ts'
import './thread-code.css'

type Lines = { first: number; last: number; path: string; commit: string }
type LineEnd = { new_line?: number | null; old_line?: number | null }
type Position = {
  base_sha?: string
  head_sha?: string
  new_path?: string | null
  old_path?: string | null
  new_line?: number | null
  old_line?: number | null
  line_range?: { start?: LineEnd; end?: LineEnd } | null
}

const positionOf = ({ notes }: Discussion) => (notes[0]?.position ?? {}) as Position

/** The lines a thread is on, as they were when it was written or moved last; undefined for whole files and pictures. */
export function linesOfThread(thread: Discussion): Lines | undefined {
  const { base_sha, head_sha, new_path, old_path, ...lines } = positionOf(thread)
  const isNew = lines.new_line != null
  const last = lines.new_line ?? lines.old_line
  const path = isNew ? (new_path ?? old_path) : (old_path ?? new_path)
  const commit = isNew ? head_sha : base_sha
  if (last == null || path == null || commit === undefined) return undefined
  // A thread that followed its line has the range of where it was written.
  const { start, end } = lines.line_range ?? {}
  const [from, to] = isNew ? [start?.new_line, end?.new_line] : [start?.old_line, end?.old_line]
  const above = from != null && to != null ? Math.max(0, to - from) : 0
  return { first: Math.max(1, last - above), last, path, commit }
}

/**
 * Tells whether a thread's lines were changed since: threads whose lines are still there follow them to the newest version. What
 * follows a version that the page does not know yet is not outdated.
 */
export function useIsThreadOutdated(
  of: RequestId,
  { diff_refs }: RequestRecord,
): (thread: Discussion) => boolean {
  const { data } = useApi(
    'GET /projects/:id/merge_requests/:merge_request_iid/versions',
    user.value ? { ...of, per_page: 100 } : undefined,
  )
  return (thread) => {
    const { base_sha, head_sha, new_line, old_line } = positionOf(thread)
    if (!diff_refs) return false
    if (new_line == null) return old_line != null && base_sha !== diff_refs.base_sha
    return data
      ? data.slice(1).some(({ head_commit_sha }) => head_commit_sha === head_sha)
      : head_sha !== diff_refs.head_sha
  }
}

/** The text of a thread's lines, with so many more above them; undefined until it is read, and where it cannot be. */
export function useThreadText(
  of: RequestId,
  lines: Lines | undefined,
  above = 0,
): { text: string; first: number } | undefined {
  const [text, setText] = useState<string>()
  const { path, commit } = lines ?? {}
  useEffect(() => {
    if (path === undefined || commit === undefined) return
    let isOver = false
    void readFileText({ id: of.id, path, commit })
      // Without the text there is still the name of the file.
      .catch(() => undefined)
      .then((read) => isOver || setText(read))
    return () => {
      isOver = true
    }
  }, [of.id, path, commit])
  if (!lines || text === undefined) return undefined
  const first = Math.max(1, lines.first - above)
  return {
    text: text
      .split('\n')
      .slice(first - 1, lines.last)
      .join('\n'),
    first,
  }
}

const above = 3
const lines_max = 20

export function ThreadCode({
  of,
  request,
  thread,
  base,
  isOpen,
}: {
  of: RequestId
  request: RequestRecord
  thread: Discussion
  base: string
  isOpen: boolean
}) {
  const isOutdated = useIsThreadOutdated(of, request)
  const lines = linesOfThread(thread)
  const { new_path, old_path } = positionOf(thread)
  const path = new_path ?? old_path
  const [note] = thread.notes
  if (path == null || !note) return null
  const address = `${base}/-/merge_requests/${of.merge_request_iid}/diffs#note_${note.id}`
  return (
    <div class="thread-code">
      <div class="row">
        <a class="mono" href={address}>
          {path}
        </a>
        <span class="muted">{lines ? words.lines(lines.first, lines.last) : words.onWhole}</span>
        {isOutdated(thread) ? <Chip tone="warning">{words.outdated}</Chip> : null}
      </div>
      {lines && isOpen ? <NearLines of={of} lines={lines} /> : null}
    </div>
  )
}

/** Reads the file once its lines are near the window. */
function NearLines({ of, lines }: { of: RequestId; lines: Lines }) {
  const room = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  const shown: Lines = { ...lines, first: Math.max(lines.first, lines.last - lines_max + 1) }
  const read = useThreadText(of, isNear ? shown : undefined, above)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '600px',
    })
    if (room.current) observer.observe(room.current)
    return () => observer.disconnect()
  }, [])
  const count = shown.last - Math.max(1, shown.first - above) + 1
  return (
    <div ref={room} class="thread-code-lines" style={{ '--thread-code-lines': count }}>
      {read ? <CodeExcerpt text={read.text} path={lines.path} first={read.first} /> : null}
    </div>
  )
}
