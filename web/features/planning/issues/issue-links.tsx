// Issues that an issue is linked to, and merge requests that name it.
import { useState } from 'preact/hooks'
import { call } from '../../../api/call.ts'
import type { LinkedIssue } from '../../../api/operations.ts'
import { mayInProject, type ProjectRecord } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { useApi } from '../../../api/use-api.ts'
import { issueLinks as linkWords } from '../../../text/issue-links.ts'
import { issuables } from '../../../text/issues.ts'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { Combobox, type ComboboxChoice } from '../../../ui/combobox/combobox.tsx'
import { SelectField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { pathnameOf } from '../../../ui/project-address.ts'
import { Status } from '../../../ui/status/status.tsx'
import { type IssueId, type IssueRecord, invalidateIssue } from './issue-calls.ts'

export function LinkedIssues({ of, mayChange }: { of: IssueId; mayChange: boolean }) {
  const { data } = useApi('GET /projects/:id/issues/:issue_iid/links', user.value ? of : undefined)
  const [isAdding, setAdding] = useState(false)
  if (!data || (data.length === 0 && !mayChange)) return null
  const remove = async ({ issue_link_id }: LinkedIssue) => {
    await call('DELETE /projects/:id/issues/:issue_iid/links/:issue_link_id', {
      ...of,
      issue_link_id,
    })
    invalidateIssue(of)
  }
  return (
    <Section
      title={linkWords.linked}
      actions={
        mayChange && !isAdding ? (
          <Button look="quiet" onClick={() => setAdding(true)}>
            {linkWords.linkAdd}
          </Button>
        ) : null
      }
    >
      {isAdding ? <AddLink of={of} onDone={() => setAdding(false)} /> : null}
      {data.length === 0 && !isAdding ? <p class="muted">{linkWords.linkedEmpty}</p> : null}
      {data.length > 0 ? (
        <List label={linkWords.linked}>
          {data.map((issue) => (
            <ListRow
              key={issue.issue_link_id}
              aside={
                mayChange ? (
                  <Button
                    look="quiet"
                    aria-label={linkWords.linkRemove(issue.references.short)}
                    onClick={() => void remove(issue)}
                  >
                    ✕
                  </Button>
                ) : null
              }
            >
              <div class="row">
                <span class="muted">{linkWords.linkWords[issue.link_type] ?? issue.link_type}</span>
                <Status isQuiet status={issue.state} />
                <a data-main href={pathnameOf(issue.web_url)}>
                  <bdi>{issue.title}</bdi>
                </a>
                <span class="muted">{issue.references.short}</span>
              </div>
            </ListRow>
          ))}
        </List>
      ) : null}
    </Section>
  )
}

const perPage = 12

/** Issues by their titles, or the one that a reference names; the value is `project id:number`. */
const findIssues =
  (projectId: number) =>
  async (search: string): Promise<ComboboxChoice[]> => {
    const [, path, iid] = /^(?:(.+\/.+))?#(\d+)$/.exec(search) ?? []
    if (iid) {
      const value = `${path ?? projectId}:${iid}`
      return [{ value, words: search }]
    }
    const found = await call('GET /projects/:id/issues', {
      id: projectId,
      per_page: perPage,
      order_by: 'updated_at',
      ...(search ? { search, in: 'title' } : {}),
    })
    return found.map((issue) => ({
      value: `${projectId}:${issue.iid}`,
      words: issue.title,
      detail: `#${issue.iid}`,
    }))
  }

function AddLink({ of, onDone }: { of: IssueId; onDone: () => void }) {
  return (
    <Form
      action={linkWords.linkAdd}
      onSubmit={async (values) => {
        const [target_project_id = '', target_issue_iid = ''] = values.text('issue').split(':')
        await call('POST /projects/:id/issues/:issue_iid/links', {
          ...of,
          target_project_id,
          target_issue_iid: Number(target_issue_iid),
          link_type: values.text('link_type') as 'relates_to',
        })
        invalidateIssue(of)
        onDone()
      }}
      more={<Button onClick={onDone}>{issuables.cancel}</Button>}
    >
      <SelectField label={linkWords.linkType} name="link_type" options={linkWords.linkTypes} />
      <Combobox
        label={linkWords.linkField}
        hint={linkWords.linkHint}
        name="issue"
        problemsOf="target_issue_iid"
        required
        find={findIssues(of.id)}
      />
    </Form>
  )
}

/** Those that would close it, and the way to make one. */
export function RelatedRequests({
  of,
  base,
  project,
  issue,
}: {
  of: IssueId
  base: string
  project: ProjectRecord | undefined
  issue: IssueRecord
}) {
  const mayRead = mayInProject(project, 'read_merge_requests')
  const { data } = useApi(
    'GET /projects/:id/issues/:issue_iid/related_merge_requests',
    mayRead ? { ...of, per_page: 20 } : undefined,
  )
  const mayCreate = mayInProject(project, 'create_merge_requests') && issue.state === 'opened'
  if (!data || (data.length === 0 && !mayCreate)) return null
  const description = encodeURIComponent(`Closes #${issue.iid}`)
  return (
    <Section
      title={linkWords.relatedRequests}
      actions={
        mayCreate ? (
          <ButtonLink
            look="quiet"
            href={`${base}/-/merge_requests/new?merge_request[description]=${description}&merge_request[title]=${encodeURIComponent(issue.title)}`}
          >
            {linkWords.createBranch}
          </ButtonLink>
        ) : null
      }
    >
      {data.length > 0 ? (
        <List label={linkWords.relatedRequests}>
          {data.map((request) => (
            <ListRow key={request.id}>
              <div class="row">
                <Status isQuiet status={request.state} />
                <a data-main href={pathnameOf(request.web_url)}>
                  <bdi>{request.title}</bdi>
                </a>
                <span class="muted">{request.references.short}</span>
              </div>
            </ListRow>
          ))}
        </List>
      ) : null}
    </Section>
  )
}
