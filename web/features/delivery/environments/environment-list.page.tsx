import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { mayInProject, useProject } from '../../../api/project.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { environments as words } from '../../../text/environments.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { DeliveryPage } from '../../../ui/page/delivery.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'

const inputOf = ({ place, url }: PlaceLocation) => ({
  id: place.id,
  per_page: 50,
  page: Number(url.searchParams.get('page') ?? 1),
})

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [apiReadUrl('GET /projects/:id/environments', inputOf(at))],
  View: EnvironmentList,
}

function EnvironmentList({ at }: { at: PlaceLocation }) {
  const { data, page: pages } = useApi('GET /projects/:id/environments', inputOf(at))
  const { data: project } = useProject(at.place.id)
  const stop = (environment_id: number) =>
    void call('POST /projects/:id/environments/:environment_id/stop', {
      id: at.place.id,
      environment_id,
    }).then(() => invalidate(`/api/v4/projects/${at.place.id}/environments`))
  return (
    <DeliveryPage place={at.place} title={words.title} lead={words.lead}>
      {data?.length === 0 ? (
        <EmptyState title={words.empty}>
          <p>{words.emptyText}</p>
        </EmptyState>
      ) : null}
      <List label={words.title}>
        {data?.map(({ id, name, state, external_url }) => (
          <ListRow
            key={id}
            aside={
              <>
                <Chip tone={state === 'available' ? 'passed' : 'plain'}>{words.states[state]}</Chip>
                {state === 'available' && mayInProject(project, 'change_environments') ? (
                  <Button look="quiet" onClick={() => stop(id)}>
                    {words.stop}
                    <span class="only-spoken"> {name}</span>
                  </Button>
                ) : null}
              </>
            }
          >
            <a data-main href={`${placeBasePath(at.place)}/-/environments/${id}`}>
              {name}
            </a>
            {external_url ? <p class="muted one-line">{external_url}</p> : null}
            <Last id={at.place.id} environment_id={id} base={placeBasePath(at.place)} />
          </ListRow>
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
