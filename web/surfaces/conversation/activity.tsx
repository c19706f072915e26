// All that happened with an issue or merge request, in the order of time: threads, what the server noted, changes of
// labels, milestones and state.
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type {
  BasicUser,
  Discussion,
  LabelEvent,
  MilestoneEvent,
  Note,
  StateEvent,
  WeightEvent,
} from '../../api/operations.ts'
import { conversation as words } from '../../text/conversation.ts'
import { ui } from '../../text/ui.ts'
import { Button } from '../../ui/button/button.tsx'
import { Label } from '../../ui/label/label.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { Menu } from '../../ui/menu/menu.tsx'
import { currentUrl, scrollToHash } from '../../ui/navigation.ts'
import { Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { Prose } from '../prose/prose.tsx'
import { Thread, type ThreadContext } from './thread.tsx'
import './activity.css'

export type IssuableEvents = {
  labels: readonly LabelEvent[]
  milestones: readonly MilestoneEvent[]
  states: readonly StateEvent[]
  weights: readonly WeightEvent[]
}
type Entry = { key: string; at: string; isNote: boolean; view: ComponentChildren }

/** What is drawn at once, so that a long conversation lets others have their turn. */
const slice = 25

const storedFilter = 'activity_comments_only'

export function IssuableActivity({
  threads,
  events,
  place,
}: {
  threads: readonly Discussion[]
  events: IssuableEvents
  place: ThreadContext
}) {
  const [commentsOnly, setCommentsOnly] = useState(localStorage.getItem(storedFilter) === 'yes')
  const entries = useMemo(() => {
    const all: Entry[] = [
      ...threads.map((thread) => entryOf(thread, place)),
      ...events.labels.map(({ id, created_at, user, action, label }) => ({
        key: `label ${id}`,
        at: created_at,
        isNote: false,
        view: (
          <Event by={user} at={created_at}>
            {action === 'add' ? words.addedLabel : words.removedLabel}{' '}
            {label ? <Label name={label.name} color={label.color} /> : words.deletedLabel}
          </Event>
        ),
      })),
      ...events.milestones.map(({ id, created_at, user, action, milestone }) => ({
        key: `milestone ${id}`,
        at: created_at,
        isNote: false,
        view: (
          <Event by={user} at={created_at}>
            {action === 'add' ? words.setMilestone : words.removedMilestone}{' '}
            <strong>{milestone?.title ?? words.deletedMilestone}</strong>
          </Event>
        ),
      })),
      ...events.states.map(({ id, created_at, user, state }) => ({
        key: `state ${id}`,
        at: created_at,
        isNote: false,
        view: (
          <Event by={user} at={created_at}>
            {words.stateChanged(state)}
          </Event>
        ),
      })),
      ...events.weights.map(({ id, created_at, user, weight }) => ({
        key: `weight ${id}`,
        at: created_at,
        isNote: false,
        view: (
          <Event by={user} at={created_at}>
            {weight === null ? words.removedWeight : words.setWeight(weight)}
          </Event>
        ),
      })),
    ]
    return all.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
  }, [threads, events, place])
  const wanted = commentsOnly ? entries.filter(({ isNote }) => isNote) : entries
  const [drawn, setDrawn] = useState(slice)
  const isWhole = drawn >= wanted.length
  useEffect(() => {
    if (isWhole) return
    const next = setTimeout(() => setDrawn(drawn + slice))
    return () => clearTimeout(next)
  }, [drawn, isWhole])
  const hasScrolled = useRef(false)
  useEffect(() => {
    const { hash } = currentUrl.value
    if (!isWhole || hasScrolled.current || !hash.startsWith('#note_')) return
    hasScrolled.current = scrollToHash(hash)
  }, [isWhole, threads])
  const shown = isWhole ? wanted : wanted.slice(0, drawn)
  return (
    <Section
      title={words.activity}
      actions={
        <Menu
          look="quiet"
          label={commentsOnly ? words.commentsOnly : words.showAll}
          items={[
            {
              words: commentsOnly ? words.showAll : words.commentsOnly,
              run: () => {
                localStorage.setItem(storedFilter, commentsOnly ? 'no' : 'yes')
                setCommentsOnly(!commentsOnly)
              },
            },
          ]}
        >
          {commentsOnly ? words.commentsOnly : words.showAll}{' '}
          <span aria-hidden="true">{ui.signs.opens}</span>
        </Menu>
      }
    >
      <div class="activity">
        {shown.map(({ key, view }) => (
          <div key={key}>{view}</div>
        ))}
      </div>
    </Section>
  )
}

function entryOf(thread: Discussion, place: ThreadContext): Entry {
  const [first] = thread.notes
  const at = first?.created_at ?? ''
  if (!first?.system) {
    return { key: thread.id, at, isNote: true, view: <Thread thread={thread} place={place} /> }
  }
  return {
    key: thread.id,
    at,
    isNote: false,
    view: (
      <Event by={first.author} at={at}>
        <span class="activity-text">
          <SystemNote html={first.note_html ?? ''} />
        </span>
        {first.body === 'changed the description' ? <Compared note={first} /> : null}
      </Event>
    ),
  }
}

const LazyTranslatedNote = lazyComponent(() =>
  import('./translated-note.tsx').then(({ TranslatedNote }) => TranslatedNote),
)

/** The server writes English. */
function SystemNote({ html }: { html: string }) {
  const isEnglish = document.documentElement.lang === 'en'
  return isEnglish ? <Prose html={html} /> : <LazyTranslatedNote html={html} />
}

const LazyDescriptionChange = lazyComponent(() =>
  import('./description-change.tsx').then(({ DescriptionChange }) => DescriptionChange),
)

/** What the description said before the change, when it is asked for. */
function Compared({ note }: { note: Note }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {words.compareDescription}
      </Button>
      {isOpen ? (
        <div class="activity-change">
          <LazyDescriptionChange note={note} />
        </div>
      ) : null}
    </>
  )
}

function Event({
  by,
  at,
  children,
}: {
  by: BasicUser | null
  at: string
  children: ComponentChildren
}) {
  return (
    <div class="activity-event">
      {by ? <a href={`/${by.username}`}>{by.name}</a> : <span>{words.someone}</span>}
      {children}
      <Time at={at} />
    </div>
  )
}
