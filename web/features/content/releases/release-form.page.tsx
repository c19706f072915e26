// The form of a release, new or existing.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { mayInProject, type ProjectRecord, useProject } from '../../../api/project.ts'
import { useApi } from '../../../api/use-api.ts'
import { useTextDraft } from '../../../surfaces/conversation/drafts.ts'
import {
  LazyCommentBox,
  LazyRestoredDraft,
} from '../../../surfaces/conversation/lazy-comment-box.ts'
import { projectTextContext } from '../../../surfaces/conversation/text-context.ts'
import { releases as words } from '../../../text/releases.ts'
import { ui } from '../../../text/ui.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { Combobox } from '../../../ui/combobox/combobox.tsx'
import { choiceOfMilestone, milestoneFinder, tagFinder } from '../../../ui/combobox/finders.ts'
import { RefField } from '../../../ui/combobox/ref-field.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { encodePath, navigate } from '../../../ui/navigation.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { type PickedChoice, Picker } from '../../../ui/picker/picker.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { showToast } from '../../../ui/toast/toast.tsx'
import { type AssetLinkRow, AssetLinks, assetLinkRowOf, saveAssetLinks } from './asset-links.tsx'
import { fetchNotesFromChangelog, fetchNotesFromMergeRequests } from './release-notes.ts'

type Release = Answer<'GET /projects/:id/releases/:tag_name'>
type FormProps = { place: Place; project: ProjectRecord; release: Release | undefined }

/** `/-/releases/new`, with the tag in the query (`?tag_name=`). */
export const page: PageModule<PlaceLocation> = {
  View: ({ at }) => (
    <Allowed place={at.place} release={undefined} tag={at.url.searchParams.get('tag_name') ?? ''} />
  ),
}

export function EditRelease({ place, release }: { place: Place; release: Release }) {
  return <Allowed place={place} release={release} tag={release.tag_name ?? ''} />
}

function Allowed(props: Omit<FormProps, 'project'> & { tag: string }) {
  const { data: project } = useProject(props.place.id)
  if (!project) return null
  if (!mayInProject(project, 'write_releases')) return <NotFoundPage />
  return <ReleaseForm {...props} project={project} />
}

/** Returns the beginning of a day in the reader's time zone, as the API accepts it. */
const momentOf = (date: string) => new Date(`${date}T00:00`).toISOString()

function ReleaseForm({ place, project, release, tag: firstTag }: FormProps & { tag: string }) {
  const { id } = project
  const [tag, setTag] = useState(firstTag)
  const [ref, setRef] = useState(project.default_branch ?? '')
  const [links, setLinks] = useState<readonly AssetLinkRow[]>(
    release?.assets.links.map(assetLinkRowOf) ?? [],
  )
  const [milestones, setMilestones] = useState<readonly PickedChoice[]>(
    release?.milestones?.map(choiceOfMilestone) ?? [],
  )
  const first = release?.description ?? ''
  const notes = useTextDraft(`release:${id}:${release?.tag_name ?? ''}`, first)
  // The tag is searched in the list, so that a new tag causes no 404. `$` marks the end of a name.
  const { data: named } = useApi(
    'GET /projects/:id/repository/tags',
    tag === '' ? undefined : { id, search: `^${tag.replaceAll('$', '*')}$`, per_page: 100 },
  )
  const known = named?.find(({ name }) => name === tag)
  const isNewTag = named !== undefined && !known
  const isTaken = !release && Boolean(known?.release)
  const self = (name: string) => `${placeBasePath(place)}/-/releases/${encodePath(name)}`
  const leave = () => {
    notes.end(first)
    navigate(release ? self(tag) : `${placeBasePath(place)}/-/releases`)
  }
  return (
    <Page title={release ? words.editOf(release.name) : words.new}>
      <Form
        action={release ? words.save : words.create}
        blocked={isTaken && words.tagHasRelease}
        more={<Button onClick={leave}>{ui.cancel}</Button>}
        onSubmit={async (values) => {
          const [name, date] = [values.text('name').trim(), values.text('released_at')]
          const texts = {
            id,
            tag_name: tag,
            description: notes.text,
            milestone_ids: milestones.map(({ value }) => Number(value)),
            ...(date ? { released_at: momentOf(date) } : {}),
          }
          if (release) {
            await saveAssetLinks(
              { id, tag_name: tag },
              { before: release.assets.links.map(assetLinkRowOf), after: links },
            )
            await call('PUT /projects/:id/releases/:tag_name', { ...texts, name: name || tag })
          } else {
            const message = values.text('tag_message')
            await call('POST /projects/:id/releases', {
              ...texts,
              ...(name ? { name } : {}),
              ...(isNewTag ? { ref, ...(message ? { tag_message: message } : {}) } : {}),
              assets: {
                links: links.map(({ name: title, url, link_type }) => ({
                  name: title,
                  url,
                  link_type,
                })),
              },
            })
          }
          notes.end()
          invalidate(`/api/v4/projects/${id}/releases`, `/api/v4/projects/${id}/repository/tags`)
          navigate(self(tag))
        }}
      >
        <LazyRestoredDraft drafts={[notes]} />
        {release ? null : (
          <Combobox
            label={words.tag}
            problemsOf="tag_name"
            hint={isTaken ? words.tagHasRelease : isNewTag ? words.tagIsNew : words.tagHint}
            isFree
            required
            chosen={tag === '' ? undefined : { value: tag, words: tag }}
            find={tagFinder(id)}
            onChoose={({ value }) => setTag(value)}
          />
        )}
        {isNewTag && !release ? (
          <>
            <RefField projectId={id} label={words.ref} value={ref} onPick={setRef} />
            <TextField label={words.tagMessage} hint={words.tagMessageHint} name="tag_message" />
          </>
        ) : null}
        <TextField
          label={words.name}
          hint={words.nameHint}
          name="name"
          maxLength={255}
          defaultValue={release?.name ?? ''}
        />
        <TextField
          label={words.date}
          hint={release ? undefined : words.dateHint}
          name="released_at"
          type="date"
        />
        <div class="field">
          <span class="field-label">{words.milestones}</span>
          <div class="row">
            {milestones.map(({ value, words: title }) => (
              <Chip key={value}>{title}</Chip>
            ))}
            <Picker
              isMulti
              label={words.milestones}
              chosen={milestones}
              find={milestoneFinder(id)}
              onChoose={setMilestones}
            />
          </div>
        </div>
        <LazyCommentBox
          label={words.notes}
          name="description"
          isLabelHidden={false}
          within={projectTextContext(project, id)}
          value={notes.text}
          onChange={notes.setText}
          rows={12}
        >
          <NotesMenu
            asked={{ id, tag, to: isNewTag ? ref : tag }}
            onNotes={(text) =>
              notes.setText(notes.text.trim() === '' ? text : `${notes.text.trimEnd()}\n\n${text}`)
            }
          />
        </LazyCommentBox>
        <AssetLinks rows={links} onChange={setLinks} />
      </Form>
    </Page>
  )
}

/** A menu that appends generated notes to the text. */
function NotesMenu({
  asked,
  onNotes,
}: {
  asked: { id: number; tag: string; to: string }
  onNotes: (text: string) => void
}) {
  if (asked.tag === '') return <Button blocked={words.chooseTagFirst}>{words.notesFrom}</Button>
  const add = async (make: typeof fetchNotesFromChangelog) => {
    const text = await make(asked)
    if (text !== '') onNotes(text)
    showToast(text === '' ? words.noChanges : words.notesAdded)
  }
  return (
    <Menu
      label={words.notesFrom}
      items={[
        { words: words.fromRequests, run: () => void add(fetchNotesFromMergeRequests) },
        { words: words.fromChangelog, run: () => void add(fetchNotesFromChangelog) },
      ]}
    >
      {words.notesFrom}
    </Menu>
  )
}
