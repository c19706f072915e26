// Lines that a note suggests instead of those it is on, applied to the source branch one by one or several at once.
import { signal } from '@preact/signals'
import { invalidate, updateOptimistically } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import type { Discussion } from '../../../api/operations.ts'
import { Refusal } from '../../../api/refusal.ts'
import { user } from '../../../api/session.ts'
import type { ThreadContext } from '../../../surfaces/conversation/thread.tsx'
import { LazyLineDiff } from '../../../surfaces/line-diff/lazy-line-diff.ts'
import { review as words } from '../../../text/review.ts'
import { Button } from '../../../ui/button/button.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import {
  invalidateRequest,
  type RequestId,
  type RequestRecord,
  requestUrl,
} from './request-calls.ts'
import { linesOfThread, useIsThreadOutdated, useThreadText } from './thread-code.tsx'
import './suggestions.css'

/** Lines of a file, from 1, both counted in. */
export type Suggestion = {
  thread: Discussion
  path: string
  first: number
  last: number
  text: string
}

/** What waits to be applied together. */
export const suggestionBatch = signal<readonly Suggestion[]>([])

const pattern = /^```suggestion(?::-(\d{1,3})\+(\d{1,3}))?[ \t]*\n([\s\S]*?)^```[ \t]*$/m

/** The first suggestion of a thread that is still open; undefined where there is none. */
export function parseSuggestion(thread: Discussion): Suggestion | undefined {
  const [note] = thread.notes
  const { new_path, new_line } = (note?.position ?? {}) as { new_path?: string; new_line?: number }
  if (!note || note.resolved || !new_path || !new_line) return undefined
  const [, above = '0', below = '0', text] = pattern.exec(note.body) ?? []
  if (text === undefined) return undefined
  return {
    thread,
    path: new_path,
    first: new_line - Number(above),
    last: new_line + Number(below),
    text,
  }
}

const keyOf = ({ thread }: Suggestion) => thread.id

export function Suggestions({
  of,
  request,
  thread,
  place,
}: {
  of: RequestId
  request: RequestRecord
  thread: Discussion
  place: ThreadContext
}) {
  const suggestion = parseSuggestion(thread)
  const isOutdated = useIsThreadOutdated(of, request)
  const mayApply = user.value != null && request.state === 'opened' && request.abilities?.update
  const stood = suggestion && linesOfThread(thread)
  const lines = stood && { ...stood, first: suggestion.first, last: suggestion.last }
  const read = useThreadText(of, lines)
  if (!suggestion) return null
  const isInBatch = suggestionBatch.value.some((one) => keyOf(one) === thread.id)
  const toggle = () => {
    const others = suggestionBatch.value.filter((one) => keyOf(one) !== thread.id)
    suggestionBatch.value = isInBatch ? others : [...others, suggestion]
  }
  return (
    <div class="stack stack-close suggestions">
      {read ? (
        <LazyLineDiff
          label={words.suggestedChange}
          before={read.text}
          after={suggestion.text.replace(/\n$/, '')}
        />
      ) : null}
      {isOutdated(thread) ? (
        <p class="muted">{words.suggestionOutdated}</p>
      ) : mayApply ? (
        <div class="row">
          <Button
            onClick={() => void applySuggestions({ of, request, place, suggestions: [suggestion] })}
          >
            {words.applySuggestion}
          </Button>
          <Button aria-pressed={isInBatch} onClick={toggle}>
            {isInBatch ? words.inBatch : words.addToBatch}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

/** One commit on the source branch with all of them; their threads are resolved. Throws `Refusal`. */
export async function applySuggestions({
  of,
  request,
  place,
  suggestions,
}: {
  of: RequestId
  request: RequestRecord
  place: ThreadContext
  suggestions: readonly Suggestion[]
}): Promise<void> {
  const id = request.source_project_id ?? of.id
  const branch = request.source_branch
  const byPath = Map.groupBy(suggestions, ({ path }) => path)
  const actions = []
  for (const [file_path, ofFile] of byPath) {
    const file = await call('GET /projects/:id/repository/files/:file_path', {
      id,
      file_path,
      ref: request.sha ?? branch,
    })
    const content = applySuggestionsToText(decode(file.content), ofFile)
    if (content === undefined) throw stale()
    const last_commit_id = file.last_commit_id
    actions.push({ action: 'update' as const, file_path, content, last_commit_id })
  }
  const commit = await call('POST /projects/:id/repository/commits', {
    id,
    branch,
    commit_message: words.suggestionMessage(suggestions.length),
    actions,
  })
  // A merge names the head that its reader knows: with this commit, unless somebody else has pushed before it.
  if (commit.parent_ids[0] === request.sha) {
    updateOptimistically<RequestRecord>(requestUrl(of), (record) => ({ ...record, sha: commit.id }))
  }
  for (const { thread } of suggestions) await place.resolve?.(thread, true)
  suggestionBatch.value = suggestionBatch.value.filter(
    (one) => !suggestions.some((done) => keyOf(done) === keyOf(one)),
  )
  invalidate(`/api/v4/projects/${id}/repository`)
  invalidateRequest(of)
  showToast(words.suggestionApplied)
}

const stale = () =>
  new Refusal({ status: 409, body: { message: words.suggestionStale }, requestId: '' })

const decode = (base64: string) =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)))

/** The text with the lines replaced, from the last to the first; undefined where two meet or the file is shorter. */
export function applySuggestionsToText(
  text: string,
  suggestions: readonly Pick<Suggestion, 'first' | 'last' | 'text'>[],
): string | undefined {
  const lines = text.split('\n')
  let before = Number.POSITIVE_INFINITY
  for (const { first, last, text: now } of suggestions.toSorted((a, b) => b.first - a.first)) {
    if (first < 1 || last >= before || last > lines.length) return undefined
    const replaced = now === '' ? [] : now.replace(/\n$/, '').split('\n')
    lines.splice(first - 1, last - first + 1, ...replaced)
    before = first
  }
  return lines.join('\n')
}
