// A new issue, with what the address says of it already (`?issue[title]=`).
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { mayInProject, useProject } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { useTextDraft } from '../../../surfaces/conversation/drafts.ts'
import {
  LazyCommentBox,
  LazyRestoredDraft,
} from '../../../surfaces/conversation/lazy-comment-box.ts'
import { projectTextContext } from '../../../surfaces/conversation/text-context.ts'
import { issuables, issues as words } from '../../../text/issues.ts'
import { Combobox, type ComboboxChoice } from '../../../ui/combobox/combobox.tsx'
import { labelFinder, milestoneFinder, projectUserFinder } from '../../../ui/combobox/finders.ts'
import { CheckField, SelectField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { Label } from '../../../ui/label/label.tsx'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { type PickedChoice, Picker } from '../../../ui/picker/picker.tsx'
import { pathnameOf } from '../../../ui/project-address.ts'

const TemplateField = lazyComponent(() =>
  import('../../../surfaces/issuable/template-field.tsx').then(({ TemplateField: View }) => View),
)

export const page: PageModule<PlaceLocation> = {
  View: ({ at }) => <NewIssue key={at.url.search} at={at} />,
}

function NewIssue({ at }: { at: PlaceLocation }) {
  const { id } = at.place
  const { data: project } = useProject(id)
  const { searchParams } = at.url
  const said = (name: string) => searchParams.get(`issue[${name}]`) ?? ''
  // A link that proposes texts has a draft of its own.
  const draftKey = `new-issue:${id}${at.url.search}`
  const title = useTextDraft(`${draftKey}:title`, said('title'))
  const draft = useTextDraft(draftKey, said('description'))
  const [labels, setLabels] = useState<readonly PickedChoice[]>([])
  if (project && !mayInProject(project, 'create_issues')) return <NotFoundPage />
  const mayLabel = mayInProject(project, 'write_labels')
  const own = user.value
  const me: ComboboxChoice | undefined = own
    ? { value: String(own.id), words: own.name, detail: `@${own.username}` }
    : undefined
  return (
    <Page title={words.new}>
      <Form
        action={words.create}
        onSubmit={async (values) => {
          const issue = await call('POST /projects/:id/issues', {
            id,
            title: title.text,
            description: draft.text,
            issue_type: values.text('issue_type') as 'issue',
            confidential: values.has('confidential'),
            ...(values.text('assignee_id')
              ? { assignee_id: Number(values.text('assignee_id')) }
              : {}),
            ...(values.text('milestone_id')
              ? { milestone_id: Number(values.text('milestone_id')) }
              : {}),
            ...(values.text('due_date') ? { due_date: values.text('due_date') } : {}),
            ...(labels.length > 0 ? { labels: labels.map(({ value }) => value) } : {}),
          })
          title.end()
          draft.end()
          invalidate(`/api/v4/projects/${id}/issues`, '/api/v4/issues')
          navigate(pathnameOf(issue.web_url))
        }}
      >
        <LazyRestoredDraft drafts={[title, draft]} />
        <TextField
          label={issuables.titleField}
          name="title"
          required
          maxLength={255}
          value={title.text}
          onInput={(event) => title.setText(event.currentTarget.value)}
        />
        <TemplateField
          projectId={id}
          type="issues"
          text={draft.text}
          onText={draft.setText}
          onBegin={draft.begin}
        />
        <LazyCommentBox
          label={issuables.description}
          name="description"
          isLabelHidden={false}
          within={projectTextContext(project, id)}
          value={draft.text}
          onChange={draft.setText}
          rows={10}
        />
        <SelectField label={words.type} name="issue_type" options={words.types} />
        {mayLabel ? (
          <>
            <Combobox
              label={issuables.assignee}
              name="assignee_id"
              find={async (search) => {
                const found = await projectUserFinder(id)(search)
                const isFirst = search === '' && me
                return isFirst ? [me, ...found.filter(({ value }) => value !== me.value)] : found
              }}
            />
            <div class="field">
              <span class="field-label">{issuables.labels}</span>
              <div class="row">
                {labels.map(({ value, color }) => (
                  <Label key={value} name={value} {...(color ? { color } : {})} />
                ))}
                <Picker
                  isMulti
                  label={issuables.labels}
                  chosen={labels}
                  find={labelFinder(id)}
                  onChoose={setLabels}
                >
                  {issuables.selectThing(issuables.labels)}
                </Picker>
              </div>
            </div>
            <Combobox label={issuables.milestone} name="milestone_id" find={milestoneFinder(id)} />
            <TextField label={issuables.dueDate} name="due_date" type="date" />
          </>
        ) : null}
        <CheckField
          label={words.confidentialField}
          hint={words.confidentialHint}
          name="confidential"
          defaultChecked={said('confidential') === 'true'}
        />
      </Form>
    </Page>
  )
}
