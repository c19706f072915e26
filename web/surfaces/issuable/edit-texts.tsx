// The form that changes title and description of an issue or merge request. What somebody else saved meanwhile is not
// overwritten without a question.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { issuables as words } from '../../text/issues.ts'
import { ui } from '../../text/ui.ts'
import { Button } from '../../ui/button/button.tsx'
import { TextField } from '../../ui/field/field.tsx'
import { Form, type FormValues } from '../../ui/form/form.tsx'
import { useTextDraft } from '../conversation/drafts.ts'
import { LazyCommentBox, LazyRestoredDraft } from '../conversation/lazy-comment-box.ts'
import type { TextContext } from '../conversation/text-context.ts'
import { Conflict } from '../line-diff/conflict.tsx'

type Texts = { title: string; description: string }
type Stored = { title: string; description: string | null }

const textsOf = ({ title, description }: Stored): Texts => ({
  title,
  description: description ?? '',
})

export function EditTexts({
  stored,
  draftKey,
  within,
  read,
  save,
  onDone,
  autoFocus = false,
  children,
}: {
  stored: Stored
  /** Under which an unsent description is kept. */
  draftKey: string
  within: TextContext
  /** Reads the texts as they are on the server now. Throws `Refusal`. */
  read: () => Promise<Stored>
  /** Saves the texts with what else is in the form. Throws `Refusal`. */
  save: (texts: Texts, values: FormValues) => Promise<unknown>
  onDone: () => void
  autoFocus?: boolean
  /** Further fields. */
  children?: ComponentChildren
}) {
  // As they were when editing began: the record is read again meanwhile.
  const [base, setBase] = useState(() => textsOf(stored))
  const [title, setTitle] = useState(base.title)
  const draft = useTextDraft(draftKey, base.description)
  const [theirs, setTheirs] = useState<Texts>()
  const end = () => {
    draft.end(base.description)
    onDone()
  }
  return (
    <Form
      action={theirs ? words.saveAnyway : words.saveChanges}
      label={words.editWord}
      onSubmit={async (values) => {
        const now = textsOf(await read())
        if (now.title !== base.title || now.description !== base.description) {
          setBase(now)
          setTheirs(now)
          return
        }
        await save({ title, description: draft.text }, values)
        end()
      }}
      more={<Button onClick={end}>{theirs ? words.discard : ui.cancel}</Button>}
    >
      <LazyRestoredDraft drafts={[draft]} />
      {theirs ? <Conflict theirs={theirs.description} own={draft.text} /> : null}
      <TextField
        label={words.titleField}
        name="title"
        required
        maxLength={255}
        value={title}
        onInput={(event) => setTitle(event.currentTarget.value)}
      />
      <LazyCommentBox
        label={words.description}
        name="description"
        isLabelHidden={false}
        within={within}
        value={draft.text}
        onChange={draft.setText}
        rows={12}
        autoFocus={autoFocus}
      />
      {children}
    </Form>
  )
}
