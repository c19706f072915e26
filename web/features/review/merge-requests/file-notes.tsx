// Comments on whole files and on points of pictures.
import type { Discussion, DraftNote } from '../../../api/operations.ts'
import { Thread, type ThreadContext } from '../../../surfaces/conversation/thread.tsx'
import type { ChangedFile } from '../../../surfaces/diff/diff.tsx'
import type { PictureMark, PicturePoint } from '../../../surfaces/diff/picture-diff.tsx'
import { review as words } from '../../../text/review.ts'
import { DraftNoteView, NewNote, type NotePosition, positionShasOf } from './new-note.tsx'
import type { RequestId, RequestRecord } from './request-calls.ts'

/** What a comment is on: a file, or a point of the picture that the file is. */
export type FileTarget = { path: string; point?: PicturePoint | undefined }

type Position = Partial<PicturePoint> & {
  position_type?: string
  new_path?: string | null
  old_path?: string | null
}

/** The file that a position is on as a whole; undefined for a position on a line, and for none. */
function targetOf(position: unknown): FileTarget | undefined {
  const { position_type, new_path, old_path, x, y, width, height } = (position ?? {}) as Position
  const path = new_path ?? old_path
  if (path == null) return undefined
  if (position_type === 'file') return { path }
  if (position_type !== 'image') return undefined
  const isPoint = x != null && y != null && width != null && height != null
  return { path, point: isPoint ? { x, y, width, height } : undefined }
}

type Notes = { threads: readonly Discussion[]; drafts: readonly DraftNote[] }

/** Threads and drafts of a file, in the order in which they were written, with the point each is on. */
function notesOf({ threads, drafts }: Notes, { new_path }: ChangedFile) {
  const placed = threads.flatMap((thread) => {
    const target = targetOf(thread.notes[0]?.position)
    return target?.path === new_path ? { thread, point: target.point } : []
  })
  const own = drafts.flatMap((draft) => {
    const answered = threads.find(({ id }) => id === draft.discussion_id)
    const target = targetOf(answered ? answered.notes[0]?.position : draft.position)
    if (target?.path !== new_path) return []
    return { draft, point: answered ? undefined : target.point }
  })
  return { placed, own }
}

/** The marks on the picture of a file, numbered as the comments beneath it. */
export function pictureMarksOfFile(notes: Notes, file: ChangedFile): PictureMark[] {
  const { placed, own } = notesOf(notes, file)
  const points = [...placed, ...own].flatMap(({ point }) => point ?? [])
  return points.map((point, at) => ({ point, number: at + 1 }))
}

/** The comments on a file, and the box for another one while `target` is of the file. */
export function FileNotes({
  of,
  request,
  place,
  notes,
  file,
  target,
  onClose,
}: {
  of: RequestId
  request: RequestRecord
  place: ThreadContext
  notes: Notes
  file: ChangedFile
  target: FileTarget | undefined
  onClose: () => void
}) {
  const { placed, own } = notesOf(notes, file)
  const isWriting = target?.path === file.new_path
  if (placed.length + own.length === 0 && !isWriting) return null
  let points = 0
  const numbered = (point: PicturePoint | undefined) =>
    point ? <span class="muted">{words.pointNumber(++points)}</span> : null
  return (
    <div class="line-notes">
      {placed.map(({ thread, point }) => (
        <div key={thread.id}>
          {numbered(point)}
          <Thread thread={thread} place={place} />
        </div>
      ))}
      {own.map(({ draft, point }) => (
        <div key={draft.id}>
          {numbered(point)}
          <DraftNoteView of={of} draft={draft} place={place} />
        </div>
      ))}
      {isWriting ? (
        <NewNote
          of={of}
          place={place}
          position={positionOf(request, file, target.point)}
          title={words.commentOnWhole(file.new_path)}
          hint={target.point ? words.onPoint(target.point.x, target.point.y) : words.onWhole}
          draftKey={`file:${file.new_path}`}
          onClose={onClose}
        />
      ) : null}
    </div>
  )
}

function positionOf(
  request: RequestRecord,
  { new_path, old_path }: ChangedFile,
  point: PicturePoint | undefined,
): NotePosition {
  return {
    ...positionShasOf(request),
    new_path,
    old_path,
    position_type: point ? 'image' : 'file',
    ...point,
  }
}
