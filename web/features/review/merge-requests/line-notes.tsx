// Notes between the lines of the changes: threads, drafts, and the box that writes one.
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Discussion, DraftNote } from '../../../api/operations.ts'
import { Thread, type ThreadContext } from '../../../surfaces/conversation/thread.tsx'
import type { ChangedFile } from '../../../surfaces/diff/diff.tsx'
import {
  type DiffPosition,
  diffPositionKey,
  ensureNoteCell,
  findDiffRow,
  type LineRange,
} from '../../../surfaces/diff/note-rows.ts'
import { review as words } from '../../../text/review.ts'
import { currentUrl } from '../../../ui/navigation.ts'
import { DraftNoteView, NewNote, type NotePosition, positionShasOf } from './new-note.tsx'
import type { RequestId, RequestRecord } from './request-calls.ts'
import { Suggestions } from './suggestions.tsx'
import './line-notes.css'

type Position = {
  new_path?: string
  old_path?: string
  new_line?: number | null
  old_line?: number | null
}

/** The line that a note is on; undefined where it is on none. */
export function diffPositionOfNote(position: unknown): DiffPosition | undefined {
  const { new_path, old_path, new_line, old_line } = (position ?? {}) as Position
  const path = new_path ?? old_path
  const [now, old] = [new_line ?? null, old_line ?? null]
  if (path === undefined || (now === null && old === null)) return undefined
  return { path, oldPath: old_path ?? path, old, now }
}

type Notes = {
  of: RequestId
  request: RequestRecord
  place: ThreadContext
  threads: readonly Discussion[]
  drafts: readonly DraftNote[]
  range: LineRange | undefined
  onClose: () => void
}
type Group = { spot: DiffPosition; threads: Discussion[]; drafts: DraftNote[]; range?: LineRange }

/** Keeps the rows with notes true: `onFilled` tells of a file whose lines have come into the page. */
export function useNoteRows(notes: Notes) {
  const bodies = useRef(new Map<Element, ChangedFile>())
  const cells = useRef(new Map<string, HTMLElement>())
  const [filled, setFilled] = useState(0)
  /** The files that something is written on: only these are looked at again when their lines come into the page. */
  /** How far the address of a note has led: to its file, then to the note. */
  const gone = useRef('')
  const noted = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const groups = groupsOf(notes)
    noted.current = new Set([...groups.values()].map(({ spot }) => spot.path))
    for (const [key, cell] of cells.current) {
      if (groups.has(key) && cell.isConnected) continue
      render(null, cell)
      cell.parentElement?.remove()
      cells.current.delete(key)
    }
    for (const [key, group] of groups) {
      const body = [...bodies.current].find(
        ([element, { new_path }]) => element.isConnected && new_path === group.spot.path,
      )?.[0]
      const row = body && findDiffRow(body, group.spot)
      if (!row) continue
      const cell = cells.current.get(key) ?? ensureNoteCell(row)
      cells.current.set(key, cell)
      render(<LineConversation notes={notes} group={group} />, cell)
    }
    goToNote(groups, gone)
  }, [notes.threads, notes.drafts, notes.range, notes.place, notes.request, filled])
  useEffect(
    () => () => {
      for (const cell of cells.current.values()) render(null, cell)
    },
    [],
  )
  return {
    fileOf: (body: Element) => bodies.current.get(body),
    onFilled: (file: ChangedFile, element: HTMLElement) => {
      bodies.current.set(element, file)
      if (noted.current.has(file.new_path)) setFilled((count) => count + 1)
    },
  }
}

/** Goes where the address says, unless that note is above the changes: to its file, whose lines then come, and to it. */
function goToNote(groups: ReadonlyMap<string, Group>, gone: { current: string }): void {
  const { hash } = currentUrl.value
  const [, id] = /^#note_(\d+)$/.exec(hash) ?? []
  if (id === undefined || gone.current === hash) return
  const note = document.getElementById(`note_${id}`)
  if (note) {
    gone.current = hash
    if (note.closest('.diff-notes')) note.scrollIntoView({ block: 'center' })
    return
  }
  const group = [...groups.values()].find(({ threads }) =>
    threads.some(({ notes }) => notes.some((one) => one.id === Number(id))),
  )
  const file = group && document.getElementById(`file:${group.spot.path}`)
  if (!file || gone.current === file.id) return
  gone.current = file.id
  file.scrollIntoView({ block: 'start' })
}

function groupsOf({ threads, drafts, range }: Notes): Map<string, Group> {
  const groups = new Map<string, Group>()
  const groupAt = (spot: DiffPosition) => {
    const key = diffPositionKey(spot)
    const group = groups.get(key) ?? { spot, threads: [], drafts: [] }
    groups.set(key, group)
    return group
  }
  for (const thread of threads) {
    const spot = diffPositionOfNote(thread.notes[0]?.position)
    if (spot) groupAt(spot).threads.push(thread)
  }
  for (const draft of drafts) {
    const answered = threads.find(({ id }) => id === draft.discussion_id)
    const spot = diffPositionOfNote(answered ? answered.notes[0]?.position : draft.position)
    if (spot) groupAt(spot).drafts.push(draft)
  }
  if (range) groupAt(range.end).range = range
  return groups
}

function LineConversation({ notes, group }: { notes: Notes; group: Group }) {
  const { of, request, place, onClose } = notes
  return (
    <div class="line-notes">
      {group.threads.map((thread) => (
        <div key={thread.id}>
          <Thread thread={thread} place={place} />
          <Suggestions of={of} request={request} thread={thread} place={place} />
        </div>
      ))}
      {group.drafts.map((draft) => (
        <DraftNoteView key={draft.id} of={of} draft={draft} place={place} />
      ))}
      {group.range ? (
        <NewLineNote
          of={of}
          request={request}
          place={place}
          range={group.range}
          onClose={onClose}
        />
      ) : null}
    </div>
  )
}

function positionOf(request: RequestRecord, { start, end }: LineRange): NotePosition {
  const endOf = ({ old, now }: DiffPosition) => ({
    type: now === null ? 'old' : 'new',
    ...(old === null ? {} : { old_line: old }),
    ...(now === null ? {} : { new_line: now }),
  })
  return {
    ...positionShasOf(request),
    position_type: 'text',
    new_path: end.path,
    old_path: end.oldPath,
    ...(end.old === null ? {} : { old_line: end.old }),
    ...(end.now === null ? {} : { new_line: end.now }),
    ...(diffPositionKey(start) === diffPositionKey(end)
      ? {}
      : { line_range: { start: endOf(start), end: endOf(end) } }),
  }
}

const lineOf = ({ old, now }: DiffPosition) => now ?? old ?? 0

/** The lines first to last, whichever was pressed first. */
function inOrder({ start, end }: LineRange): LineRange {
  return lineOf(start) <= lineOf(end) ? { start, end } : { start: end, end: start }
}

function NewLineNote({
  of,
  request,
  place,
  range: given,
  onClose,
}: {
  of: RequestId
  request: RequestRecord
  place: ThreadContext
  range: LineRange
  onClose: () => void
}) {
  const range = inOrder(given)
  const [first, last] = [lineOf(range.start), lineOf(range.end)]
  const suggestion = () => `\`\`\`suggestion:-${last - first}+0\n${linesOf(range)}\n\`\`\`\n`
  return (
    <NewNote
      of={of}
      place={place}
      position={positionOf(request, range)}
      title={words.commentOn(range.end.path, words.lines(first, last))}
      hint={words.lines(first, last)}
      draftKey={`line:${diffPositionKey(range.end)}`}
      suggestion={range.end.now === null ? undefined : suggestion}
      onClose={onClose}
    />
  )
}

/** The lines of a range as they are in the page, after the change. */
function linesOf({ start, end }: LineRange): string {
  const bodies = [...document.querySelectorAll('.diff-body')]
  const body = bodies.find((one) => one.closest('.diff-file')?.id === `file:${end.path}`)
  const lines: string[] = []
  for (let line = lineOf(start); body && line <= lineOf(end); line += 1) {
    const row = body.querySelector(`tr[data-new="${line}"]`)
    lines.push(row?.querySelector(':scope > td:last-child')?.textContent ?? '')
  }
  return lines.join('\n')
}
