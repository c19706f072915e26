// A new merge request: its branches first, then its texts, with the changes below. git prints the address after each
// push (`?merge_request[source_branch]=`).
import { useEffect, useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { mayInProject, useProject } from '../../../api/project.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { useTextDraft } from '../../../surfaces/conversation/drafts.ts'
import {
  LazyCommentBox,
  LazyRestoredDraft,
} from '../../../surfaces/conversation/lazy-comment-box.ts'
import { projectTextContext } from '../../../surfaces/conversation/text-context.ts'
import { Diff } from '../../../surfaces/diff/diff.tsx'
import { app } from '../../../text/app.ts'
import { issuables } from '../../../text/issues.ts'
import { requests as words } from '../../../text/merge-requests.ts'
import { newRequest } from '../../../text/new-request.ts'
import { repository } from '../../../text/repository.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { Combobox } from '../../../ui/combobox/combobox.tsx'
import {
  branchFinder,
  labelFinder,
  milestoneFinder,
  projectUserFinder,
} from '../../../ui/combobox/finders.ts'
import { CommitLine } from '../../../ui/commit-line/commit-line.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { Label } from '../../../ui/label/label.tsx'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, currentUrlWithQuery, navigate, replaceUrl } from '../../../ui/navigation.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { type PickedChoice, Picker } from '../../../ui/picker/picker.tsx'
import { pathnameOf, placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'

const TemplateField = lazyComponent(() =>
  import('../../../surfaces/issuable/template-field.tsx').then(({ TemplateField: View }) => View),
)

export const page: PageModule<PlaceLocation> = { View: NewRequest }

const said = (name: string) => currentUrl.value.searchParams.get(`merge_request[${name}]`) ?? ''

function NewRequest({ at }: { at: PlaceLocation }) {
  const { id } = at.place
  const { data: project } = useProject(id)
  const base = placeBasePath(at.place)
  const source = said('source_branch')
  const upstream = project?.forked_from_project
  const targetProject = Number(said('target_project_id') || (upstream?.id ?? id))
  const { data: target } = useProject(targetProject)
  const targetBranch = said('target_branch') || target?.default_branch || ''
  if (!project || !target) return null
  if (!mayInProject(project, 'create_merge_requests')) return <NotFoundPage />
  const set = (changes: Record<string, string>) =>
    replaceUrl(
      currentUrlWithQuery(
        Object.fromEntries(
          Object.entries(changes).map(([name, value]) => [`merge_request[${name}]`, value]),
        ),
      ),
    )
  const isReady = source !== '' && targetBranch !== ''
  const isSame = isReady && source === targetBranch && targetProject === id
  return (
    <Page title={words.new}>
      <Section title={newRequest.chooseBranches}>
        <Combobox
          label={words.source}
          {...(source ? { chosen: { value: source, words: source } } : {})}
          find={branchFinder(id)}
          onChoose={({ value }) => set({ source_branch: value })}
        />
        {upstream ? (
          <SelectField
            label={newRequest.targetProject}
            options={[
              [String(upstream.id), upstream.path_with_namespace],
              [String(id), project.path_with_namespace],
            ]}
            value={String(targetProject)}
            onChange={(event) =>
              set({ target_project_id: event.currentTarget.value, target_branch: '' })
            }
          />
        ) : null}
        <Combobox
          label={words.target}
          {...(targetBranch ? { chosen: { value: targetBranch, words: targetBranch } } : {})}
          find={branchFinder(targetProject)}
          onChoose={({ value }) => set({ target_branch: value })}
        />
        {isSame ? <p class="field-problem">{newRequest.sameBranch}</p> : null}
      </Section>
      {isReady && !isSame ? (
        <Proposal
          key={`${source} ${targetProject} ${targetBranch}`}
          {...{ id, base, source, targetProject, targetBranch }}
        />
      ) : null}
    </Page>
  )
}

/** `Fix the cart` of a branch `fix-the_cart`. */
function titleOfBranch(branch: string): string {
  const text = branch.replace(/^.*\//, '').replace(/[-_]+/g, ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function Proposal({
  id,
  base,
  source,
  targetProject,
  targetBranch,
}: {
  id: number
  base: string
  source: string
  targetProject: number
  targetBranch: string
}) {
  const { data: project } = useProject(id)
  const compared = {
    id,
    from: targetBranch,
    to: source,
    ...(targetProject === id ? {} : { from_project_id: targetProject }),
  }
  const { data: comparison, refusal } = useApi('GET /projects/:id/repository/compare', compared)
  const { data: open } = useApi('GET /projects/:id/merge_requests', {
    id: targetProject,
    state: 'opened',
    source_branch: source,
    target_branch: targetBranch,
    source_project_id: id,
    per_page: 1,
  })
  const draftKey = `new-merge-request:${id}:${source}`
  const title = useTextDraft(`${draftKey}:title`, said('title'))
  const draft = useTextDraft(draftKey, said('description'))
  const [isTitled, setTitled] = useState(title.text !== '')
  const [labels, setLabels] = useState<readonly PickedChoice[]>([])
  const commits = comparison?.commits ?? []
  const [only] = commits
  useEffect(() => {
    if (!comparison || isTitled) return
    title.begin(commits.length === 1 && only ? only.title : titleOfBranch(source))
    if (commits.length === 1 && only && draft.text === '') {
      draft.setText(only.message.split('\n').slice(1).join('\n').trim())
    }
  }, [comparison])
  const duplicate = open?.[0]
  if (duplicate && 'web_url' in duplicate) {
    return (
      <EmptyState title={newRequest.alreadyOpen}>
        <ButtonLink look="primary" href={pathnameOf(duplicate.web_url)}>
          {newRequest.viewOpen}
        </ButtonLink>
      </EmptyState>
    )
  }
  if (refusal?.status === 404) {
    return <EmptyState title={newRequest.branchNotFound(source, targetBranch)} />
  }
  const isFork = targetProject !== id
  const mayLabel = mayInProject(project, 'write_labels')
  return (
    <>
      <Form
        action={newRequest.create}
        // The title is proposed once the commits are there.
        blocked={!isTitled && title.text === '' && !refusal && app.loading}
        onSubmit={async (values) => {
          const number = (name: string) =>
            values.text(name) ? { [name]: Number(values.text(name)) } : {}
          const reviewer = values.text('reviewer_id')
          const made = await call('POST /projects/:id/merge_requests', {
            id,
            source_branch: source,
            target_branch: targetBranch,
            target_project_id: targetProject,
            title:
              values.has('draft') && !/^draft:/i.test(title.text)
                ? `Draft: ${title.text}`
                : title.text,
            description: draft.text,
            remove_source_branch: values.has('remove_source_branch'),
            squash: values.has('squash'),
            ...(isFork ? { allow_collaboration: values.has('allow_collaboration') } : {}),
            ...number('assignee_id'),
            ...number('milestone_id'),
            ...(reviewer ? { reviewer_ids: [Number(reviewer)] } : {}),
            ...(labels.length > 0 ? { labels: labels.map(({ value }) => value) } : {}),
          })
          title.end()
          draft.end()
          invalidate(`/api/v4/projects/${targetProject}/merge_requests`, '/api/v4/merge_requests')
          navigate(pathnameOf(made.web_url))
        }}
      >
        <LazyRestoredDraft drafts={[title, draft]} />
        <TextField
          label={issuables.titleField}
          name="title"
          required
          maxLength={255}
          value={title.text}
          onInput={(event) => {
            setTitled(true)
            title.setText(event.currentTarget.value)
          }}
        />
        <CheckField label={newRequest.createDraft} hint={newRequest.createDraftHint} name="draft" />
        <TemplateField
          projectId={targetProject}
          type="merge_requests"
          text={draft.text}
          isReady={comparison !== undefined || refusal !== undefined}
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
          rows={8}
        />
        <Combobox
          label={issuables.assignee}
          name="assignee_id"
          find={projectUserFinder(targetProject)}
        />
        <Combobox
          label={issuables.reviewers}
          name="reviewer_id"
          find={projectUserFinder(targetProject)}
        />
        {mayLabel ? (
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
                find={labelFinder(targetProject)}
                onChoose={setLabels}
              >
                {issuables.selectThing(issuables.labels)}
              </Picker>
            </div>
          </div>
        ) : null}
        <Combobox
          label={issuables.milestone}
          name="milestone_id"
          find={milestoneFinder(targetProject)}
        />
        <CheckField
          label={words.removeSource}
          name="remove_source_branch"
          defaultChecked={project?.remove_source_branch_after_merge ?? false}
        />
        <CheckField label={words.squash} hint={words.squashHint} name="squash" />
        {isFork ? (
          <CheckField label={newRequest.allowCollaboration} name="allow_collaboration" />
        ) : null}
      </Form>
      {comparison && commits.length === 0 ? <EmptyState title={newRequest.noChanges} /> : null}
      {commits.length > 0 ? (
        <Section title={repository.commitsCount(commits.length)}>
          <List label={words.commits}>
            {commits
              .slice(-20)
              .reverse()
              .map((commit) => (
                <ListRow key={commit.id}>
                  <CommitLine commit={commit} base={base} />
                </ListRow>
              ))}
          </List>
        </Section>
      ) : null}
      {commits.length > 0 ? (
        <Section title={words.changes}>
          <Diff
            urlOf={(query) =>
              apiReadUrl('GET /projects/:id/repository/compare/diffs', { ...compared, ...query })
            }
            fileHref={(path) => repositoryPageUrl(base, 'blob', source, path)}
          />
        </Section>
      ) : null}
    </>
  )
}
