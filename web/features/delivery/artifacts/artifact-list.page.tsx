import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { mayInProject, useProject } from '../../../api/project.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { artifacts as words } from '../../../text/artifacts.ts'
import { formatBytes } from '../../../text/numbers.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { DeliveryPage } from '../../../ui/page/delivery.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

const inputOf = ({ place, url }: PlaceLocation) => ({
  id: place.id,
  with_artifacts: true,
  per_page: 40,
  page: Number(url.searchParams.get('page') ?? 1),
})

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [apiReadUrl('GET /projects/:id/jobs', inputOf(at))],
  View: ArtifactList,
}

function ArtifactList({ at }: { at: PlaceLocation }) {
  const { data, page: pages } = useApi('GET /projects/:id/jobs', inputOf(at))
  const { data: project } = useProject(at.place.id)
  const base = placeBasePath(at.place)
  const jobsUrl = `/api/v4/projects/${at.place.id}/jobs`
  const found = data ?? []
  const mayRemove = mayInProject(project, 'remove_artifacts')
  const keep = async (job_id: number) => {
    await call('POST /projects/:id/jobs/:job_id/artifacts/keep', { id: at.place.id, job_id })
    invalidate(jobsUrl)
    showToast(words.kept)
  }
  const remove = (job_id: number, name: string) =>
    confirmBefore({
      title: words.removeTitle(name),
      text: words.removeText,
      action: words.removeConfirm,
      run: async () => {
        await call('DELETE /projects/:id/jobs/:job_id/artifacts', { id: at.place.id, job_id })
        invalidate(jobsUrl)
      },
    })
  const removeAll = () =>
    confirmBefore({
      title: words.removeAllTitle,
      text: words.removeText,
      action: words.removeAll,
      run: async () => {
        await call('DELETE /projects/:id/artifacts', { id: at.place.id })
        invalidate(jobsUrl)
        navigate(`${base}/-/artifacts`, { replace: true })
      },
    })
  return (
    <DeliveryPage
      place={at.place}
      title={words.title}
      actions={
        mayRemove && found.length > 0 ? (
          <Button look="danger" onClick={removeAll}>
            {words.removeAll}
          </Button>
        ) : null
      }
    >
      {data?.length === 0 ? (
        <EmptyState title={words.empty}>
          <p>{words.emptyText}</p>
        </EmptyState>
      ) : null}
      <List label={words.title}>
        {found.map((job) => (
          <ListRow
            key={job.id}
            aside={
              <>
                <span>{formatBytes(job.artifacts_file?.size ?? 0)}</span>
                <Time at={job.created_at} />
                {job.artifacts_expire_at && mayInProject(project, 'create_pipelines') ? (
                  <Button look="quiet" onClick={() => void keep(job.id)}>
                    {words.keep}
                    <span class="only-spoken"> {job.name}</span>
                  </Button>
                ) : null}
                {mayRemove ? (
                  <Button look="quiet" onClick={() => remove(job.id, job.name)}>
                    {words.remove}
                    <span class="only-spoken"> {job.name}</span>
                  </Button>
                ) : null}
              </>
            }
          >
            <div class="row">
              <a data-main href={`${base}/-/jobs/${job.id}/artifacts/browse`}>
                {job.name}
              </a>
              <span class="mono one-line">{job.ref}</span>
            </div>
          </ListRow>
        ))}
      </List>
      <Pager page={pages} />
    </DeliveryPage>
  )
}
