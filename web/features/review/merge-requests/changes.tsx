// The changes of a merge request, with the notes between their lines, and the review that one writes.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { readFileText } from '../../../api/file.ts'
import type { Discussion } from '../../../api/operations.ts'
import { user } from '../../../api/session.ts'
import { apiReadUrl, useAllPages, useApi } from '../../../api/use-api.ts'
import type { ThreadContext } from '../../../surfaces/conversation/thread.tsx'
import { Diff, type DiffExtras } from '../../../surfaces/diff/diff.tsx'
import {
  type DiffPosition,
  diffPositionOfRow,
  type LineRange,
} from '../../../surfaces/diff/note-rows.ts'
import { requests } from '../../../text/merge-requests.ts'
import { review as words } from '../../../text/review.ts'
import { Button } from '../../../ui/button/button.tsx'
import { CheckField, SelectField } from '../../../ui/field/field.tsx'
import { useKeyActions } from '../../../ui/keys.ts'
import { currentUrl, currentUrlWithQuery, replaceUrl } from '../../../ui/navigation.ts'
import { Section } from '../../../ui/page/page.tsx'
import { repositoryPageUrl } from '../../../ui/project-address.ts'
import { FileNotes, type FileTarget, pictureMarksOfFile } from './file-notes.tsx'
import { useNoteRows } from './line-notes.tsx'
import { invalidateRequest, type RequestId, type RequestRecord } from './request-calls.ts'
import { ReviewBar } from './review-bar.tsx'
import { useIsThreadOutdated } from './thread-code.tsx'
import { useViewed } from './viewed.ts'
import './changes.css'

const route = 'GET /projects/:id/merge_requests/:merge_request_iid'
const none: readonly never[] = []

/** Goes to the next open thread below what is in sight, or the one above it; round at the ends. */
export function goToThread(step: 1 | -1): void {
  const open = [...document.querySelectorAll<HTMLElement>('.thread[data-open]')]
  const tops = open.map((one) => one.getBoundingClientRect().top)
  const now = open.indexOf(document.activeElement?.closest('.thread[data-open]') as HTMLElement)
  const after = step > 0 ? tops.findIndex((top) => top > 80) : tops.findLastIndex((top) => top < -8)
  const at = now >= 0 ? now + step : after
  const next = open[(at + open.length) % open.length] ?? open[0]
  if (!next) return
  next.scrollIntoView({ block: 'center' })
  next.tabIndex = -1
  next.focus({ preventScroll: true })
}

export function RequestDiff({
  of,
  request,
  base,
  place,
  threads,
}: {
  of: RequestId
  request: RequestRecord
  base: string
  place: ThreadContext
  threads: readonly Discussion[]
}) {
  const from = currentUrl.value.searchParams.get('start_sha') ?? ''
  const head = request.diff_refs?.head_sha ?? request.sha ?? ''
  const signedIn = user.value != null
  const { data: drafts } = useAllPages(
    `${route}/draft_notes`,
    signedIn ? { ...of, per_page: 100 } : undefined,
  )
  const viewed = useViewed(of, head)
  useFollowingThreads(of, request, threads)
  const [range, setRange] = useState<LineRange>()
  const [target, setTarget] = useState<FileTarget>()
  const mayComment = place.mayDiscuss && from === ''
  // What stands between two versions has other lines.
  const notes = { threads: from === '' ? threads : none, drafts: (from === '' && drafts) || none }
  const rows = useNoteRows({
    of,
    request,
    place,
    ...notes,
    range,
    onClose: () => setRange(undefined),
  })
  /** What had the focus when a comment on a file was begun gets it back. */
  const opener = useRef<Element | null>(null)
  const begin = (next: FileTarget) => {
    if (!mayComment) return
    if (!target) opener.current = document.activeElement
    setTarget(next)
  }
  const end = () => {
    setTarget(undefined)
    if (opener.current instanceof HTMLElement) opener.current.focus()
  }
  const base_sha = request.diff_refs?.base_sha
  const urlOf = useMemo(
    () => (query: object) =>
      // By its commits, so that it is the version that the page speaks of, and never changes.
      head !== '' && (from || base_sha)
        ? apiReadUrl('GET /projects/:id/repository/compare/diffs', {
            id: of.id,
            from: from || (base_sha ?? ''),
            to: head,
            straight: true,
            ...query,
          })
        : apiReadUrl(`${route}/diffs`, { ...of, ...query }),
    [of.id, of.merge_request_iid, from, head, base_sha],
  )
  const pick = (spot: DiffPosition, isExtended: boolean) => {
    if (!mayComment) return
    const isSame = isExtended && range && range.end.path === spot.path
    setRange(isSame ? { start: range.start, end: spot } : { start: spot, end: spot })
  }
  useKeyActions([
    { name: requests.nextThread, keys: 'Shift N', run: () => goToThread(1) },
    { name: requests.previousThread, keys: 'Shift P', run: () => goToThread(-1) },
    {
      name: words.commentOnLine,
      keys: 'c',
      run: () => {
        const row = document.activeElement?.closest('tr')
        const spot = row && diffPositionOfRow(row, rows.fileOf)
        if (spot) pick(spot, false)
      },
    },
    {
      name: words.commentOnFile,
      keys: 'Shift C',
      run: () => {
        const file = document.activeElement?.closest('.diff-file')
        file?.querySelector<HTMLElement>('.changes-comment')?.click()
      },
    },
    {
      name: words.toggleViewed,
      keys: 'v',
      run: () => {
        const file = document.activeElement?.closest('.diff-file')
        file?.querySelector<HTMLInputElement>('.changes-viewed input')?.click()
      },
    },
  ])
  const extras: DiffExtras = {
    onFilled: rows.onFilled,
    isFolded: (file) => viewed.has(file.new_path),
    stateOf: ({ new_path }) => [
      mayComment,
      request,
      threads,
      drafts,
      target?.path === new_path ? target : undefined,
    ],
    actionsOf: (file) => (
      <>
        {mayComment ? (
          <Button
            look="quiet"
            class="changes-comment"
            title={words.commentOnFile}
            onClick={() => begin({ path: file.new_path })}
          >
            {words.commentWord}
            <span class="only-spoken"> {words.onFile(file.new_path)}</span>
          </Button>
        ) : null}
        {signedIn ? (
          <span class="changes-viewed">
            <CheckField
              label={words.viewed}
              aria-label={words.markViewed(file.new_path)}
              checked={viewed.has(file.new_path)}
              onChange={(event) => void viewed.set(file.new_path, event.currentTarget.checked)}
            />
          </span>
        ) : null}
      </>
    ),
    notesOf: (file) => (
      <FileNotes
        of={of}
        request={request}
        place={place}
        notes={notes}
        file={file}
        target={target}
        onClose={end}
      />
    ),
    pictureNotesOf: (file) => ({
      marks: pictureMarksOfFile(notes, file),
      chosen: target?.path === file.new_path ? target.point : undefined,
      onChoose: mayComment ? (point) => begin({ path: file.new_path, point }) : undefined,
    }),
  }
  return (
    <Section title={requests.changes} id="changes">
      <Versions of={of} request={request} from={from} lastSeen={viewed.lastHead} />
      {from === '' ? (
        <p class="muted">{place.mayDiscuss ? words.pickLine : ''}</p>
      ) : (
        <p class="row">
          {words.comparingVersions}
          <a href={currentUrlWithQuery({ start_sha: '' })}>{words.showAll}</a>
        </p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a press on a number of a line is for the pointer alone. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: `c` does the same to the line that has the focus. */}
      <div
        class={mayComment ? 'changes changes-open' : 'changes'}
        onClick={(event) => {
          const number =
            event.target instanceof Element ? event.target.closest('.diff-body th') : null
          const row = number?.closest('tr')
          const spot = row && diffPositionOfRow(row, rows.fileOf, number ?? undefined)
          if (spot) pick(spot, event.shiftKey)
        }}
      >
        <Diff
          key={`${from} ${head}`}
          urlOf={urlOf}
          fileHref={(path) => repositoryPageUrl(base, 'blob', head, path)}
          rawHref={(path, side) => {
            const sha = side === 'after' ? head : from || base_sha
            return sha ? repositoryPageUrl(base, 'raw', sha, path) : undefined
          }}
          extras={extras}
          readText={(path) =>
            readFileText({ id: request.source_project_id ?? of.id, path, commit: head })
          }
        />
      </div>
      <ReviewBar of={of} request={request} place={place} drafts={drafts ?? []} viewed={viewed} />
    </Section>
  )
}

const follow_ms = 2_000

/** Reads threads once more after a push: they follow their lines moments after it. */
function useFollowingThreads(
  of: RequestId,
  request: RequestRecord,
  threads: readonly Discussion[],
): void {
  const head = request.diff_refs?.head_sha
  const first = useRef(head)
  const isBehind = threads.some(useIsThreadOutdated(of, request))
  useEffect(() => {
    if (head === first.current || !isBehind) return
    const timer = setTimeout(() => document.hidden || invalidateRequest(of), follow_ms)
    return () => clearTimeout(timer)
  }, [head, isBehind])
}

/** Which version the changes are compared with. */
function Versions({
  of,
  request,
  from,
  lastSeen,
}: {
  of: RequestId
  request: RequestRecord
  from: string
  lastSeen: string | undefined
}) {
  const { data } = useApi(`${route}/versions`, user.value ? { ...of, per_page: 100 } : undefined)
  if (!data || data.length < 2) return null
  const older = data.slice(1)
  const numbered = older.map(({ head_commit_sha: sha }, at): readonly [string, string] => [
    sha,
    sha === lastSeen ? words.sinceLastLook : words.version(older.length - at, sha.slice(0, 8)),
  ])
  const options = [['', words.targetBranch(request.target_branch)] as const, ...numbered]
  return (
    <SelectField
      label={words.compareWith}
      options={options}
      value={from}
      onChange={(event) =>
        replaceUrl(currentUrlWithQuery({ start_sha: event.currentTarget.value }))
      }
    />
  )
}
