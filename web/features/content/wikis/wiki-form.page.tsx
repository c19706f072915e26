// The editor of a wiki page, new or existing. Changes that somebody else saved meanwhile are not overwritten without
// confirmation.
import { useEffect, useState } from 'preact/hooks'
import type { WikiPage } from '../../../api/operations.ts'
import { Refusal } from '../../../api/refusal.ts'
import { useTextDraft } from '../../../surfaces/conversation/drafts.ts'
import {
  LazyCommentBox,
  LazyRestoredDraft,
} from '../../../surfaces/conversation/lazy-comment-box.ts'
import { Conflict } from '../../../surfaces/line-diff/conflict.tsx'
import { issuables } from '../../../text/issues.ts'
import { ui } from '../../../text/ui.ts'
import { wikis as words } from '../../../text/wikis.ts'
import { LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { SelectField, TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'

import { navigate } from '../../../ui/navigation.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import {
  fetchWikiSource,
  saveWikiPage,
  useMayWriteWiki,
  type WikiFormat,
  wikiAddress,
  wikiTextContext,
} from './wiki-calls.ts'

/** `/-/wikis/new`, with the title in the query (`?title=`). */
export const page: PageModule<PlaceLocation> = {
  View: ({ at }) => (
    <WikiForm place={at.place} title={at.url.searchParams.get('title') ?? ''} known={undefined} />
  ),
}

export function EditWikiPage({ place, slug }: { place: Place; slug: string }) {
  const [known, setKnown] = useState<WikiPage>()
  const [refusal, setRefusal] = useState<Refusal>()
  useEffect(() => {
    fetchWikiSource(place, slug).then(setKnown, (error) => {
      if (!(error instanceof Refusal)) throw error
      setRefusal(error)
    })
  }, [place.id, slug])
  if (refusal?.status === 404) return <NotFoundPage />
  if (known) return <WikiForm place={place} title={known.title} known={known} />
  return (
    <Page title={words.edit}>{refusal ? <RefusalNote refusal={refusal} /> : <LoadingRows />}</Page>
  )
}

function WikiForm({
  place,
  title: firstTitle,
  known,
}: {
  place: Place
  title: string
  /** The page when editing began; undefined for a new page. */
  known: WikiPage | undefined
}) {
  const mayWrite = useMayWriteWiki(place)
  const [base, setBase] = useState(known?.content ?? '')
  const [title, setTitle] = useState(firstTitle)
  const [format, setFormat] = useState(known?.format ?? 'markdown')
  const draft = useTextDraft(`wiki:${place.kind}:${place.id}:${known?.slug ?? ''}`, base)
  const [theirs, setTheirs] = useState<string>()
  if (mayWrite === false) return <NotFoundPage />
  const leave = () => {
    draft.end(base)
    navigate(wikiAddress(place, known?.slug))
  }
  const submit = async () => {
    if (known) {
      const { content } = await fetchWikiSource(place, known.slug)
      if (content !== base) {
        setBase(content)
        setTheirs(content)
        return
      }
    }
    const saved = await saveWikiPage(place, known?.slug, {
      content: draft.text,
      ...(title === known?.title ? {} : { title }),
      ...(format === known?.format ? {} : { format: format as WikiFormat }),
    })
    draft.end()
    navigate(wikiAddress(place, saved.slug))
  }
  return (
    <Page title={known ? words.editTitle(known.title) : words.new}>
      <Form
        action={theirs === undefined ? (known ? words.save : words.create) : issuables.saveAnyway}
        onSubmit={submit}
        more={
          <Button onClick={leave}>{theirs === undefined ? ui.cancel : issuables.discard}</Button>
        }
      >
        <LazyRestoredDraft drafts={[draft]} />
        {theirs === undefined ? null : <Conflict theirs={theirs} own={draft.text} />}
        <TextField
          label={words.pageTitle}
          name="title"
          problemsOf="title base"
          required
          hint={known ? words.renameHint : words.titleHint}
          value={title}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
        <SelectField
          label={words.format}
          name="format"
          options={words.formats}
          value={format}
          onChange={(event) => setFormat(event.currentTarget.value)}
        />
        {format === 'markdown' ? (
          <LazyCommentBox
            label={words.content}
            name="content"
            isLabelHidden={false}
            within={wikiTextContext(place)}
            value={draft.text}
            onChange={draft.setText}
            rows={18}
          />
        ) : (
          <TextArea
            label={words.content}
            name="content"
            rows={18}
            value={draft.text}
            onInput={(event) => draft.setText(event.currentTarget.value)}
          />
        )}
      </Form>
    </Page>
  )
}
