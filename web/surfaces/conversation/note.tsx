// One comment: who wrote it, its text, what can be done with it.
import { useState } from 'preact/hooks'
import type { Award, Note } from '../../api/operations.ts'
import { user } from '../../api/session.ts'
import { conversation as words } from '../../text/conversation.ts'
import { ui } from '../../text/ui.ts'
import { Avatar } from '../../ui/avatar/avatar.tsx'
import { Chip } from '../../ui/chip/chip.tsx'
import { copyText } from '../../ui/copy-line/copy-line.tsx'
import { confirmBefore } from '../../ui/dialog/dialog.tsx'
import { Menu } from '../../ui/menu/menu.tsx'
import { Time } from '../../ui/time/time.tsx'
import { showToast } from '../../ui/toast/toast.tsx'
import { Prose } from '../prose/prose.tsx'
import { LazyNoteEditor } from './lazy-comment-box.ts'
import { Reactions } from './reactions.tsx'
import type { TextContext } from './text-context.ts'
import './note.css'

export type NoteWithAwards = Note & { award_emoji?: readonly Award[] }

/** What the page of an issue or merge request does with its notes; each throws `Refusal`. */
export type NoteCalls = {
  change: (note: Note, body: string) => Promise<unknown>
  remove: (note: Note) => Promise<unknown>
  react: (note: Note, name: string) => Promise<unknown>
  takeBack: (note: Note, award: Award) => Promise<unknown>
}

export type NoteContext = {
  within: TextContext
  calls: NoteCalls
  mayDiscuss: boolean
  /** Maintainers change and delete the notes of others too. */
  mayChangeAll: boolean
}

export function NoteView({
  note,
  place,
  onQuote,
}: {
  note: NoteWithAwards
  place: NoteContext
  onQuote?: (text: string) => void
}) {
  const { within, calls, mayDiscuss, mayChangeAll } = place
  const [isEditing, setEditing] = useState(false)
  const { id, author, body, created_at, updated_at } = note
  const mayChange = mayChangeAll || (author.id === user.value?.id && mayDiscuss)
  const url = `${location.origin}${location.pathname}#note_${id}`
  return (
    <article class="note" id={`note_${id}`}>
      <header class="note-head">
        <Avatar name={author.name} url={author.avatar_url} />
        <a href={`/${author.username}`}>
          <strong>{author.name}</strong>
        </a>
        <span class="muted">
          <a href={`#note_${id}`}>
            <Time at={created_at} />
          </a>
          {updated_at === created_at ? '' : ` · ${words.edited}`}
        </span>
        {note.internal ? <Chip tone="warning">{words.internalNote}</Chip> : null}
        <span class="grow" />
        <Menu
          look="quiet"
          label={words.more}
          items={[
            mayChange && { words: words.edit, run: () => setEditing(true) },
            onQuote && { words: words.quoteReply, run: () => onQuote(quoteOf(body)) },
            {
              words: words.copyLink,
              run: () => void copyText(url).then(() => showToast(words.linkCopied)),
            },
            mayChange && {
              words: words.remove,
              isDanger: true,
              run: () =>
                confirmBefore({
                  title: words.removeTitle,
                  text: words.removeText,
                  action: words.remove,
                  run: () => calls.remove(note),
                }),
            },
          ]}
        >
          <span aria-hidden="true">{ui.signs.more}</span>
        </Menu>
      </header>
      {isEditing ? (
        <LazyNoteEditor
          note={note}
          within={within}
          onSave={async (text) => {
            await calls.change(note, text)
            setEditing(false)
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <div class="note-body">
          <Prose html={note.note_html ?? ''} />
        </div>
      )}
      <Reactions
        awards={note.award_emoji ?? []}
        calls={
          mayDiscuss
            ? {
                give: (name) => calls.react(note, name),
                takeBack: (award) => calls.takeBack(note, award),
              }
            : undefined
        }
      />
    </article>
  )
}

const quoteOf = (text: string) => `${text.replace(/^/gm, '> ')}\n\n`
