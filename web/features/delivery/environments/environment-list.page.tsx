import { touch } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { may, useProject } from '../../../api/project.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { environments as words } from '../../../text/environments.ts'
import { Blank } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { DeliveryPage } from '../../../ui/page/delivery.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { baseOf } from '../../../ui/project-address.ts'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'

const inputOf = ({ place, url }: AtPlace) => ({
  id: place.id,
  per_page: 50,
  page: Number(url.searchParams.get('page') ?? 1),
})

export const page: PageModule<AtPlace> = {
  calls: (at) => [need('GET /projects/:id/environments', inputOf(at))],
  View: EnvironmentList,
}

function EnvironmentList({ at }: { at: AtPlace }) {
  const { data, page: pages } = useApi('GET /projects/:id/environments', inputOf(at))
  const { data: project } = useProject(at.place.id)
  const stop = (environment_id: number) =>
    void call('POST /projects/:id/environments/:environment_id/stop', {
      id: at.place.id,
      environment_id,
    }).then(() => touch(`/api/v4/projects/${at.place.id}/environments`))
  return (
    <DeliveryPage place={at.place} title={words.title} lead={words.lead}>
      {data?.length === 0 ? (
        <Blank title={words.empty}>
          <p>{words.emptyText}</p>
        </Blank>
      ) : null}
      <List label={words.title}>
        {data?.map(({ id, name, state, external_url }) => (
          <Row
            key={id}
            aside={
              <>
                <Chip tone={state === 'available' ? 'passed' : 'plain'}>{words.states[state]}</Chip>
                {state === 'available' && may(project, 'change_environments') ? (
                  <Button look="quiet" onClick={() => stop(id)}>
                    {words.stop}
                    <span class="only-spoken"> {name}</span>
                  </Button>
                ) : null}
              </>
            }
          >
            <a data-main href={`${baseOf(at.place)}/-/environments/${id}`}>
              {name}
            </a>
            {external_url ? <p class="muted one-line">{external_url}</p> : null}
            <Last id={at.place.id} environment_id={id} base={baseOf(at.place)} />
          </Row>
        ))}
      </List>
      <Pager page={pages} />
    </DeliveryPage>
  )
}

function Last({ id, environment_id, base }: { id: number; environment_id: number; base: string }) {
  const { data } = useApi('GET /projects/:id/environments/:environment_id', { id, environment_id })
  const last = data?.last_deployment
  if (!last) return null
  return (
    <p class="row muted">
      <Status status={last.status} />
      <a class="mono" href={`${base}/-/commit/${last.sha}`}>
        {last.sha.slice(0, 8)}
      </a>
      <Time at={last.created_at} />
    </p>
  )
}
