// A thread: its first comment, the answers, and the box that answers.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Discussion } from '../../api/operations.ts'
import { conversation as words } from '../../text/conversation.ts'
import { Button } from '../../ui/button/button.tsx'
import { RefusalNote } from '../../ui/refusal/refusal.tsx'
import { useTextDraft } from './drafts.ts'
import { LazyCommentBox } from './lazy-comment-box.ts'
import { type NoteContext, NoteView, type NoteWithAwards } from './note.tsx'
import { useSendWithRefusal } from './use-send.ts'
import './thread.css'

export type ThreadContext = NoteContext & {
  answer: (thread: Discussion, body: string) => Promise<unknown>
  /** Undefined where threads are not resolved. */
  resolve?: ((thread: Discussion, isResolved: boolean) => Promise<unknown>) | undefined
  mayResolve?: (thread: Discussion) => boolean
  /** What stands above the first note, and below the last one. */
  above?: (thread: Discussion, isOpen: boolean) => ComponentChildren
  below?: (thread: Discussion) => ComponentChildren
  /** Names the drafts of this page. */
  draftKey: string
}

export function Thread({ thread, place }: { thread: Discussion; place: ThreadContext }) {
  const notes: readonly NoteWithAwards[] = thread.notes
  const [first, ...answers] = notes
  const isResolvable = notes.some(({ resolvable }) => resolvable)
  const isResolved = isResolvable && notes.every((note) => !note.resolvable || note.resolved)
  const [isOpen, setOpen] = useState(!isResolved)
  const [isAnswering, setAnswering] = useState(false)
  const draft = useTextDraft(`${place.draftKey}:${thread.id}`)
  const send = useSendWithRefusal(async () => {
    if (draft.text.trim() === '') return
    await place.answer(thread, draft.text)
    draft.end()
    setAnswering(false)
  })
  if (!first) return null
  const resolver = notes.find(({ resolved_by }) => resolved_by)?.resolved_by?.name
  const mayResolve = isResolvable && place.resolve && (place.mayResolve?.(thread) ?? false)
  const quote = (text: string) => {
    draft.setText(draft.text + text)
    setAnswering(true)
  }
  const isAnswerOpen = isAnswering || draft.isRestored
  return (
    <div
      class={`thread ${first.internal ? 'thread-internal' : ''}`}
      data-thread={thread.id}
      data-open={isResolvable && !isResolved ? '' : undefined}
    >
      {isResolved ? (
        <div class="thread-foot row row-apart">
          <span class="muted">{resolver ? words.resolvedBy(resolver) : words.resolved}</span>
          <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? words.hideThread : words.showThread}
          </Button>
        </div>
      ) : null}
      {first.position ? place.above?.(thread, isOpen || !isResolved) : null}
      {isOpen || !isResolved ? (
        <>
          <NoteView note={first} place={place} {...(place.mayDiscuss ? { onQuote: quote } : {})} />
          {answers.map((note) => (
            <NoteView
              key={note.id}
              note={note}
              place={place}
              {...(place.mayDiscuss ? { onQuote: quote } : {})}
            />
          ))}
          {first.position ? place.below?.(thread) : null}
          {place.mayDiscuss ? (
            <div class="thread-foot">
              {isAnswerOpen ? (
                <div class="stack stack-close">
                  <LazyCommentBox
                    label={words.replyTo}
                    within={place.within}
                    value={draft.text}
                    onChange={draft.setText}
                    rows={3}
                    autoFocus={isAnswering}
                    onSubmit={send.run}
                    onCancel={() => {
                      setAnswering(false)
                      if (draft.text.trim() === '') draft.end()
                    }}
                  />
                  {send.refusal ? <RefusalNote refusal={send.refusal} /> : null}
                  <div class="row">
                    <Button look="primary" isBusy={send.isBusy} onClick={() => send.run()}>
                      {words.reply}
                    </Button>
                    <Button
                      onClick={() => {
                        draft.end()
                        setAnswering(false)
                      }}
                    >
                      {words.cancel}
                    </Button>
                  </div>
                </div>
              ) : (
                <div class="row">
                  <Button look="quiet" onClick={() => setAnswering(true)}>
                    {words.reply}
                  </Button>
                  {mayResolve ? (
                    <Button
                      look="quiet"
                      onClick={() => {
                        setOpen(isResolved)
                        void place.resolve?.(thread, !isResolved)
                      }}
                    >
                      {isResolved ? words.unresolve : words.resolve}
                    </Button>
                  ) : null}
                </div>
              )}
            </div>
          ) : null}
        </>
      ) : null}
    </div>
  )
}
