import { useLive } from '../../../api/live.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { jobs as words } from '../../../text/delivery.ts'
import { Blank } from '../../../ui/blank/blank.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { DeliveryPage } from '../../../ui/page/delivery.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { baseOf } from '../../../ui/project-address.ts'
import { Status } from '../../../ui/status/status.tsx'
import { Duration, Time } from '../../../ui/time/time.tsx'

const inputOf = ({ place, url }: AtPlace) => ({
  id: place.id,
  per_page: 40,
  page: Number(url.searchParams.get('page') ?? 1),
})

export const page: PageModule<AtPlace> = {
  calls: (at) => [need('GET /projects/:id/jobs', inputOf(at))],
  View: JobList,
}

function JobList({ at }: { at: AtPlace }) {
  const { data, page: pages } = useApi('GET /projects/:id/jobs', inputOf(at))
  const base = baseOf(at.place)
  useLive(`project:${at.place.id}`, [`/api/v4/projects/${at.place.id}/jobs`])
  return (
    <DeliveryPage place={at.place} title={words.title}>
      {data?.length === 0 ? <Blank title={words.none} /> : null}
      <List label={words.title}>
        {data?.map((job) => (
          <Row
            key={job.id}
            aside={
              <>
                <a href={`${base}/-/pipelines/${job.pipeline.id}`}>
                  {words.pipeline(job.pipeline.id)}
                </a>
                <Duration seconds={job.duration} />
                <Time at={job.created_at} />
              </>
            }
          >
            <div class="row">
              <Status
                status={job.status === 'failed' && job.allow_failure ? 'warning' : job.status}
              />
              <a data-main href={`${base}/-/jobs/${job.id}`}>
                {job.name}
              </a>
              <span class="muted">{job.stage}</span>
              <span class="mono one-line">{job.ref}</span>
            </div>
          </Row>
        ))}
      </List>
      <Pager page={pages} />
    </DeliveryPage>
  )
}
