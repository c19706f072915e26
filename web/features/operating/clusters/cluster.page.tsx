// The clusters of a project or a group: the list, a new one, and one with its settings.
import type { ComponentProps } from 'preact'
import { useAbilities } from '../../../api/abilities.ts'
import { call } from '../../../api/call.ts'
import type { ListedCluster } from '../../../api/operations.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { OperatePage } from '../../../surfaces/operate/operate-page.tsx'
import { clusters as words } from '../../../text/clusters.ts'
import { Blank, Waiting } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { confirmThen } from '../../../ui/dialog/dialog.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { here, navigate } from '../../../ui/navigation.ts'
import { NothingHere } from '../../../ui/page/nothing-here.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule, Place } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { baseOf } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { tell } from '../../../ui/toast/toast.tsx'
import { routesOf, touchClusters } from './cluster-calls.ts'
import { ClusterForm } from './cluster-form.tsx'

export const page: PageModule<AtPlace> = {
  calls: ({ place }) => {
    const cluster_id = Number(place.rest)
    return [cluster_id > 0 && need(routesOf(place).get, { id: place.id, cluster_id })]
  },
  View: Clusters,
}

const listOf = (place: Place) => `${baseOf(place)}/-/clusters`

function Clusters({ at: { place } }: { at: AtPlace }) {
  const can = useAbilities(place)
  if (!can('manage_clusters')) return <NothingHere />
  const which = place.rest ?? ''
  if (which === '') return <ClusterList place={place} />
  if (which === 'new') return <NewCluster place={place} />
  return <OneCluster place={place} cluster_id={Number(which) || 0} />
}

function Frame({ place, ...page }: ComponentProps<typeof OperatePage>) {
  return place.kind === 'group' ? <Page {...page} /> : <OperatePage place={place} {...page} />
}

function ClusterList({ place }: { place: Place }) {
  const { data, page, refusal, again } = useApi(routesOf(place).list, {
    id: place.id,
    per_page: 20,
    page: Number(here.value.searchParams.get('page') ?? 1),
  })
  return (
    <Frame
      place={place}
      title={words.title}
      lead={place.kind === 'group' ? words.groupLead : words.lead}
      actions={<ButtonLink href={`${listOf(place)}/new`}>{words.add}</ButtonLink>}
    >
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <Waiting />}
      {data?.length === 0 ? (
        <Blank title={words.empty}>
          <p>{words.emptyText}</p>
        </Blank>
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.title}>
          {data.map((cluster) => (
            <ClusterRow key={cluster.id} {...{ cluster, place }} />
          ))}
        </List>
      ) : null}
      <Pager page={page} />
    </Frame>
  )
}

function Enabled({ isEnabled }: { isEnabled: boolean }) {
  return (
    <Status
      status={isEnabled ? 'active' : 'paused'}
      words={isEnabled ? words.enabled : words.disabled}
    />
  )
}

function ClusterRow({ cluster, place }: { cluster: ListedCluster; place: Place }) {
  const { id, name, enabled, environment_scope, platform_orchestrator } = cluster
  return (
    <Row aside={<Enabled isEnabled={enabled} />}>
      <a data-main href={`${listOf(place)}/${id}`}>
        {name}
      </a>
      <p class="muted">
        <span class="mono">{platform_orchestrator.api_url}</span> ·{' '}
        {words.scopeOf(environment_scope)}
      </p>
    </Row>
  )
}

function NewCluster({ place }: { place: Place }) {
  return (
    <Frame place={place} title={words.new}>
      <ClusterForm
        place={place}
        onSave={async (texts) => {
          const { id } = await call(routesOf(place).add, { id: place.id, ...texts })
          touchClusters(place)
          navigate(`${listOf(place)}/${id}`, { replace: true })
          tell(words.added(texts.name))
        }}
      />
    </Frame>
  )
}

function OneCluster({ place, cluster_id }: { place: Place; cluster_id: number }) {
  const of = { id: place.id, cluster_id }
  const { data } = useApi(routesOf(place).get, cluster_id > 0 ? of : undefined)
  if (!data) return <NothingHere />
  const { name, enabled, user } = data
  const change = async (changes: object) => {
    await call(routesOf(place).change, { ...of, ...changes })
    touchClusters(place)
    tell(words.saved)
  }
  const remove = () =>
    confirmThen({
      title: words.removeTitle(name),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call(routesOf(place).remove, of)
        touchClusters(place)
        navigate(listOf(place), { replace: true })
      },
    })
  return (
    <Frame place={place} title={name}>
      <StateBar
        state={<Enabled isEnabled={enabled} />}
        actions={
          <>
            <Button onClick={() => void change({ enabled: !enabled })}>
              {enabled ? words.disable : words.enable}
            </Button>
            <Button look="quiet" onClick={remove}>
              {words.remove}
            </Button>
          </>
        }
      >
        <span class="row">
          {user ? <span>{words.addedBy(user.name)}</span> : null}
          <Time at={data.created_at} />
        </span>
      </StateBar>
      <Section title={words.edit}>
        <ClusterForm place={place} cluster={data} onSave={change} />
      </Section>
    </Frame>
  )
}
