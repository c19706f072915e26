// The commits and the pipelines of a merge request.
import { call } from '../../../api/call.ts'
import { mayInProject, type ProjectRecord } from '../../../api/project.ts'
import { useApi } from '../../../api/use-api.ts'
import { requests as words } from '../../../text/merge-requests.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { CommitLine } from '../../../ui/commit-line/commit-line.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl } from '../../../ui/navigation.ts'
import { Section } from '../../../ui/page/page.tsx'
import { Pager } from '../../../ui/pager/pager.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { invalidateRequest, type RequestId } from './request-calls.ts'

const route = 'GET /projects/:id/merge_requests/:merge_request_iid'

export function RequestCommits({ of, base }: { of: RequestId; base: string }) {
  const { data, page: pages } = useApi(`${route}/commits`, {
    ...of,
    per_page: 50,
    page: Number(currentUrl.value.searchParams.get('page') ?? 1),
  })
  if (!data) return null
  return (
    <Section title={words.commits}>
      {data.length === 0 ? <EmptyState title={words.noCommits} /> : null}
      <List label={words.commits}>
        {data.map((commit) => (
          <ListRow key={commit.id}>
            <CommitLine commit={commit} base={base} />
          </ListRow>
        ))}
      </List>
      <Pager page={pages} />
    </Section>
  )
}

export function RequestPipelines({
  of,
  base,
  project,
}: {
  of: RequestId
  base: string
  project: ProjectRecord | undefined
}) {
  const { data, page: pages } = useApi(`${route}/pipelines`, {
    ...of,
    per_page: 30,
    page: Number(currentUrl.value.searchParams.get('page') ?? 1),
  })
  if (!data) return null
  const run = async () => {
    await call('POST /projects/:id/merge_requests/:merge_request_iid/pipelines', of)
    invalidateRequest(of)
    showToast(words.pipelineStarted)
  }
  return (
    <Section
      title={words.pipelines}
      actions={
        mayInProject(project, 'create_pipelines') ? (
          <Button onClick={() => void run()}>{words.runPipeline}</Button>
        ) : null
      }
    >
      {data.length === 0 ? <EmptyState title={words.noPipelines} /> : null}
      <List label={words.pipelines}>
        {data.map(({ id, status, sha, ref, created_at }) => (
          <ListRow key={id} aside={<Time at={created_at} />}>
            <div class="row">
              <Status status={status} />
              <a data-main href={`${base}/-/pipelines/${id}`}>{`#${id}`}</a>
              <a class="mono" href={`${base}/-/commit/${sha}`}>
                {sha.slice(0, 8)}
              </a>
              <span class="muted one-line">{ref}</span>
            </div>
          </ListRow>
        ))}
      </List>
      <Pager page={pages} />
    </Section>
  )
}
