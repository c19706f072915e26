import type { ComponentChildren } from 'preact'
import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { mayInProject, useProject } from '../../../api/project.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { environments as words } from '../../../text/environments.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Duration, Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

type Environment = Answer<'GET /projects/:id/environments/:environment_id'>
type Deployment = Answer<'GET /projects/:id/deployments'>[number]

const inputOf = ({ place }: PlaceLocation) => ({ id: place.id, environment_id: Number(place.rest) })

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [apiReadUrl('GET /projects/:id/environments/:environment_id', inputOf(at))],
  View: EnvironmentPage,
}

function EnvironmentPage({ at }: { at: PlaceLocation }) {
  const { data } = useApi('GET /projects/:id/environments/:environment_id', inputOf(at))
  const { data: project } = useProject(at.place.id)
  if (!data) return null
  const base = placeBasePath(at.place)
  return (
    <Page title={data.name} lead={data.description ?? undefined}>
      <StateBar
        state={
          <Chip tone={data.state === 'available' ? 'passed' : 'plain'}>
            {words.states[data.state]}
          </Chip>
        }
        actions={
          <>
            {data.external_url ? (
              <ButtonLink look="primary" href={data.external_url}>
                {words.openLive}
              </ButtonLink>
            ) : null}
            {mayInProject(project, 'change_environments') ? (
              <Change {...{ at, base }} one={data} />
            ) : null}
          </>
        }
      >
        <span class="row">
          <span>{words.tiers[data.tier] ?? data.tier}</span>
          {data.auto_stop_at ? (
            <span>
              {words.autoStop} <Time at={data.auto_stop_at} />
            </span>
          ) : null}
        </span>
      </StateBar>
      <Deployments
        {...{ at, base }}
        one={data}
        mayDeploy={mayInProject(project, 'create_pipelines')}
      />
    </Page>
  )
}

function Change({ at, base, one }: { at: PlaceLocation; base: string; one: Environment }) {
  const after = () => invalidate(`/api/v4/projects/${at.place.id}/environments`)
  const stop = () =>
    void call('POST /projects/:id/environments/:environment_id/stop', inputOf(at)).then(after)
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(one.name),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call('DELETE /projects/:id/environments/:environment_id', inputOf(at))
        after()
        navigate(`${base}/-/environments`, { replace: true })
      },
    })
  return one.state === 'stopped' ? (
    <Button look="quiet" onClick={remove}>
      {words.remove}
    </Button>
  ) : (
    <Button onClick={stop}>{words.stopEnvironment}</Button>
  )
}

function Deployments({
  at,
  base,
  one: { name, last_deployment },
  mayDeploy,
}: {
  at: PlaceLocation
  base: string
  one: Environment
  mayDeploy: boolean
}) {
  const { data, page: pages } = useApi('GET /projects/:id/deployments', {
    id: at.place.id,
    environment: name,
    order_by: 'id',
    sort: 'desc',
    per_page: 30,
    page: Number(at.url.searchParams.get('page') ?? 1),
  })
  return (
    <Section title={words.deployments}>
      {data?.length === 0 ? <EmptyState title={words.noDeployments} /> : null}
      <List label={words.deployments}>
        {data?.map((one) => (
          <DeploymentRow key={one.id} {...{ one, base }}>
            {mayDeploy && one.deployable && isRepeatable(one, data) ? (
              <Repeat
                id={at.place.id}
                environment={name}
                one={one}
                job={one.deployable}
                isCurrent={one.id === last_deployment?.id}
              />
            ) : null}
          </DeploymentRow>
        ))}
      </List>
      <Pager page={pages} />
    </Section>
  )
}

/** Returns whether the job of a deployment can be run again: it has ended and was not retried since. */
function isRepeatable({ id, status, deployable: job }: Deployment, all: readonly Deployment[]) {
  if (!/^(?:success|failed|canceled)$/.test(status)) return false
  return !all.some(
    ({ id: other, deployable }) =>
      other > id && deployable?.name === job?.name && deployable?.pipeline.id === job?.pipeline.id,
  )
}

/** A button that deploys the commit of a deployment again, by retrying its job. */
function Repeat({
  id,
  environment,
  one,
  job,
  isCurrent,
}: {
  id: number
  environment: string
  one: Deployment
  job: NonNullable<Deployment['deployable']>
  isCurrent: boolean
}) {
  const isRollback = one.status === 'success' && !isCurrent
  const action = isRollback ? words.rollBack : words.redeploy
  const ask = () =>
    confirmBefore({
      title: isRollback ? words.rollBackTitle(environment) : words.redeployTitle(environment),
      text: words.redeployText(job.name, one.sha.slice(0, 8)),
      action,
      run: async () => {
        await call('POST /projects/:id/jobs/:job_id/retry', { id, job_id: job.id })
        const at = `/api/v4/projects/${id}`
        invalidate(`${at}/deployments`, `${at}/environments`, `${at}/jobs`, `${at}/pipelines`)
        showToast(words.deploymentStarted)
      },
    })
  return (
    <Button look="quiet" aria-label={`${action}: ${words.deployment(one.iid)}`} onClick={ask}>
      {action}
    </Button>
  )
}

function DeploymentRow({
  one,
  base,
  children,
}: {
  one: Deployment
  base: string
  children: ComponentChildren
}) {
  const { iid, ref, sha, status, user, deployable, created_at } = one
  return (
    <ListRow
      aside={
        <>
          {user ? <span>{words.by(user.name)}</span> : null}
          <Duration seconds={deployable?.duration ?? null} />
          <Time at={created_at} />
          {children}
        </>
      }
    >
      <div class="row">
        <Status status={status} />
        {deployable ? (
          <a data-main href={`${base}/-/jobs/${deployable.id}`}>
            {words.deployment(iid)}
          </a>
        ) : (
          <span>{words.deployment(iid)}</span>
        )}
        <a class="mono one-line" href={repositoryPageUrl(base, 'tree', ref)}>
          {ref}
        </a>
        <a class="mono" href={`${base}/-/commit/${sha}`}>
          {sha.slice(0, 8)}
        </a>
      </div>
    </ListRow>
  )
}
