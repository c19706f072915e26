// The clusters of a project, a group or the instance: the list, the form, and one with its settings.
import type { ComponentProps } from 'preact'
import { useAbilities } from '../../../api/abilities.ts'
import { call } from '../../../api/call.ts'
import type { ListedCluster } from '../../../api/operations.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { OperatePage } from '../../../surfaces/operate/operate-page.tsx'
import { clusters as words } from '../../../text/clusters.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, navigate } from '../../../ui/navigation.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { PageLocation, PageModule, Place } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import {
  type ClusterOwner,
  clusterOwnerInput,
  clusterOwnerOf,
  clusterRoutesOf,
  invalidateClusters,
} from './cluster-calls.ts'
import { ClusterForm } from './cluster-form.tsx'

/** The frame of administration pages is loaded for the instance only. */
let AdminFrame: typeof Page = Page

export const page: PageModule = {
  // The data of the instance is requested after its frame has been loaded.
  calls: (at) => {
    const owner = clusterOwnerOf(at)
    const cluster_id = Number(owner.which)
    const isAsked = owner.place !== undefined && cluster_id > 0
    return [
      isAsked &&
        apiReadUrl(clusterRoutesOf(owner).get, { ...clusterOwnerInput(owner), cluster_id }),
    ]
  },
  prepare: async ({ place }) => {
    if (!place) AdminFrame = (await import('./admin-frame.ts')).AdminPage
  },
  View: Clusters,
}

function Clusters({ at }: { at: PageLocation }) {
  const owner = clusterOwnerOf(at)
  const { place, which } = owner
  if (!place) return <Which owner={owner} which={which} />
  return <OfPlace owner={owner} place={place} />
}

function OfPlace({ owner, place }: { owner: ClusterOwner; place: Place }) {
  const can = useAbilities(place)
  return can('manage_clusters') ? <Which owner={owner} which={owner.which} /> : <NotFoundPage />
}

function Which({ owner, which }: { owner: ClusterOwner; which: string }) {
  if (which === '') return <ClusterList owner={owner} />
  if (which === 'new') return <NewCluster owner={owner} />
  return <OneCluster owner={owner} cluster_id={Number(which) || 0} />
}

function Frame({
  owner: { place },
  ...page
}: ComponentProps<typeof Page> & { owner: ClusterOwner }) {
  if (!place) return <AdminFrame {...page} />
  return place.kind === 'group' ? <Page {...page} /> : <OperatePage place={place} {...page} />
}

function leadOf({ place }: ClusterOwner): string {
  if (!place) return words.instanceLead
  return place.kind === 'group' ? words.groupLead : words.lead
}

function ClusterList({ owner }: { owner: ClusterOwner }) {
  const { data, page, refusal, again } = useApi(clusterRoutesOf(owner).list, {
    ...clusterOwnerInput(owner),
    per_page: 20,
    page: Number(currentUrl.value.searchParams.get('page') ?? 1),
  })
  return (
    <Frame
      owner={owner}
      title={words.title}
      lead={leadOf(owner)}
      actions={<ButtonLink href={`${owner.list}/new`}>{words.add}</ButtonLink>}
    >
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={words.empty}>
          <p>{words.emptyText}</p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.title}>
          {data.map((cluster) => (
            <ClusterRow key={cluster.id} {...{ cluster, list: owner.list }} />
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

function ClusterRow({ cluster, list }: { cluster: ListedCluster; list: string }) {
  const { id, name, enabled, environment_scope, platform_orchestrator } = cluster
  return (
    <ListRow aside={<Enabled isEnabled={enabled} />}>
      <a data-main href={`${list}/${id}`}>
        {name}
      </a>
      <p class="muted">
        <span class="mono">{platform_orchestrator.api_url}</span> ·{' '}
        {words.scopeOf(environment_scope)}
      </p>
    </ListRow>
  )
}

function NewCluster({ owner }: { owner: ClusterOwner }) {
  return (
    <Frame owner={owner} title={words.new}>
      <ClusterForm
        hasNamespace={owner.place?.kind === 'project'}
        onSave={async (texts) => {
          const { id } = await call(clusterRoutesOf(owner).add, {
            ...clusterOwnerInput(owner),
            ...texts,
          })
          invalidateClusters(owner)
          navigate(`${owner.list}/${id}`, { replace: true })
          showToast(words.added(texts.name))
        }}
      />
    </Frame>
  )
}

function OneCluster({ owner, cluster_id }: { owner: ClusterOwner; cluster_id: number }) {
  const of = { ...clusterOwnerInput(owner), cluster_id }
  const { data, isLoading } = useApi(clusterRoutesOf(owner).get, cluster_id > 0 ? of : undefined)
  if (isLoading)
    return (
      <Frame owner={owner} title={words.title}>
        <LoadingRows />
      </Frame>
    )
  if (!data) return <NotFoundPage />
  const { name, enabled, user } = data
  const change = async (changes: object) => {
    await call(clusterRoutesOf(owner).change, { ...of, ...changes })
    invalidateClusters(owner)
    showToast(words.saved)
  }
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(name),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call(clusterRoutesOf(owner).remove, of)
        invalidateClusters(owner)
        navigate(owner.list, { replace: true })
      },
    })
  return (
    <Frame owner={owner} title={name}>
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
        <ClusterForm
          hasNamespace={owner.place?.kind === 'project'}
          cluster={data}
          onSave={change}
        />
      </Section>
    </Frame>
  )
}
