import { useState } from 'preact/hooks'
import { touch } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { may, type ProjectRecord, useProject } from '../../../api/project.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { refs } from '../../../text/code.ts'
import { Blank, Waiting } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { RefPicker } from '../../../ui/combobox/ref-picker.tsx'
import { confirmThen, Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { ListFilter } from '../../../ui/list/list-filter.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { baseOf, codeUrl } from '../../../ui/place.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'

type Tag = Answer<'GET /projects/:id/repository/tags'>[number]

function inputOf({ place, url: { searchParams } }: AtPlace) {
  const search = searchParams.get('search')
  return {
    id: place.id,
    per_page: 50,
    page: Number(searchParams.get('page') ?? 1),
    ...(search ? { search } : {}),
  }
}

export const page: PageModule<AtPlace> = {
  calls: (at) => [need('GET /projects/:id/repository/tags', inputOf(at))],
  View: TagList,
}

function TagList({ at }: { at: AtPlace }) {
  const {
    data,
    page: pages,
    refusal,
    again,
  } = useApi('GET /projects/:id/repository/tags', inputOf(at))
  const { data: project } = useProject(at.place.id)
  const [isNew, setNew] = useState(false)
  return (
    <Page
      title={refs.tags}
      actions={
        may(project, 'push_code') ? (
          <Button look="primary" onClick={() => setNew(true)}>
            {refs.newTag}
          </Button>
        ) : null
      }
    >
      <ListFilter label={refs.filter} />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <Waiting />}
      {data?.length === 0 ? <Blank title={refs.noTags} /> : null}
      {data && data.length > 0 ? (
        <List label={refs.tags}>
          {data.map((tag) => (
            <TagRow key={tag.name} tag={tag} project={project} base={baseOf(at.place)} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
      {isNew && project ? <NewTag project={project} onClose={() => setNew(false)} /> : null}
    </Page>
  )
}

function TagRow({
  tag,
  project,
  base,
}: {
  tag: Tag
  project: ProjectRecord | undefined
  base: string
}) {
  const name = base.split('/').at(-1)
  return (
    <Row
      aside={
        <>
          <Time at={tag.created_at ?? tag.commit?.committed_date} />
          <a href={`${base}/-/archive/${encodeURIComponent(tag.name)}/${name}.zip`}>
            {refs.download}
            <span class="only-spoken"> {tag.name}</span>
          </a>
          {project && may(project, 'push_code') && !tag.protected ? (
            <Button look="quiet" onClick={() => askToRemove(project, tag)}>
              {refs.remove}
              <span class="only-spoken"> {tag.name}</span>
            </Button>
          ) : null}
        </>
      }
    >
      <div class="row">
        <a data-main class="mono" href={codeUrl(base, 'tree', tag.name)}>
          {tag.name}
        </a>
        {tag.protected ? <Chip>{refs.protected}</Chip> : null}
        {tag.release ? <Chip tone="passed">{refs.release}</Chip> : null}
      </div>
      <p class="muted one-line">{tag.message || tag.commit?.title}</p>
    </Row>
  )
}

const tagsUrl = ({ id }: ProjectRecord) => `/api/v4/projects/${id}/repository/tags`

function askToRemove(project: ProjectRecord, { name }: Tag): void {
  confirmThen({
    title: refs.removeTag(name),
    text: refs.removeText,
    action: refs.remove,
    run: async () => {
      await call('DELETE /projects/:id/repository/tags/:tag_name', {
        id: project.id,
        tag_name: name,
      })
      touch(tagsUrl(project))
    },
  })
}

function NewTag({ project, onClose }: { project: ProjectRecord; onClose: () => void }) {
  const [from, setFrom] = useState(project.default_branch ?? '')
  return (
    <Dialog title={refs.newTag} onClose={onClose}>
      <Form
        action={refs.create}
        onSubmit={async (values) => {
          const message = values.text('message')
          const tag = { id: project.id, tag_name: values.text('tag_name'), ref: from }
          await call(
            'POST /projects/:id/repository/tags',
            message === '' ? tag : { ...tag, message },
          )
          touch(tagsUrl(project))
          onClose()
        }}
      >
        {(refusal) => (
          <>
            <TextField
              label={refs.name}
              name="tag_name"
              required
              problem={refusal?.problemOf('tag_name')}
            />
            <RefPicker projectId={project.id} value={from} label={refs.from} onPick={setFrom} />
            <TextArea label={refs.message} hint={refs.messageHint} name="message" />
          </>
        )}
      </Form>
    </Dialog>
  )
}
