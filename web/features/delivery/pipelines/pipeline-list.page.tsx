import type { Answer, Input } from '../../../api/call.ts'
import { useInvalidateOnChange } from '../../../api/live.ts'
import { mayInProject, useProject } from '../../../api/project.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { pipelines as words } from '../../../text/pipelines.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, currentUrlWithQuery } from '../../../ui/navigation.ts'
import { DeliveryPage } from '../../../ui/page/delivery.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath, repositoryPageUrl } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { Duration, Time } from '../../../ui/time/time.tsx'
import './pipeline.css'

type Asked = Input<'GET /projects/:id/pipelines'>
type Pipeline = Answer<'GET /projects/:id/pipelines'>[number]

function inputOf({ place, url: { searchParams } }: PlaceLocation): Asked {
  const status = searchParams.get('status')
  const ref = searchParams.get('ref')
  return {
    id: place.id,
    with_details: true,
    per_page: 30,
    page: Number(searchParams.get('page') ?? 1),
    ...(status ? { status: status as 'failed' } : {}),
    ...(ref ? { ref } : {}),
  }
}

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [apiReadUrl('GET /projects/:id/pipelines', inputOf(at))],
  View: PipelineList,
}

function PipelineList({ at }: { at: PlaceLocation }) {
  const { data, page: pages, refusal, again } = useApi('GET /projects/:id/pipelines', inputOf(at))
  const { data: project } = useProject(at.place.id)
  const base = placeBasePath(at.place)
  useInvalidateOnChange(`project:${at.place.id}`, [`/api/v4/projects/${at.place.id}/pipelines`])
  const mayRun = mayInProject(project, 'create_pipelines')
  const asked = currentUrl.value.searchParams.get('status') ?? ''
  return (
    <DeliveryPage
      place={at.place}
      title={words.title}
      actions={
        mayRun ? (
          <ButtonLink look="primary" href={`${base}/-/pipelines/new`}>
            {words.run}
          </ButtonLink>
        ) : null
      }
    >
      <Tabs
        label={words.filter}
        tabs={words.filters.map(([status, name]) => ({
          words: name,
          href: currentUrlWithQuery({ status, page: undefined }),
          isHere: asked === status,
        }))}
      />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        asked === '' ? (
          <EmptyState title={words.empty}>
            <p>{words.emptyText}</p>
            {mayInProject(project, 'push_code') ? (
              <ButtonLink look="primary" href={`${base}/-/ci/editor`}>
                {words.openEditor}
              </ButtonLink>
            ) : null}
          </EmptyState>
        ) : (
          <EmptyState title={words.noMatches} />
        )
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.title}>
          {data.map((pipeline) => (
            <PipelineRow key={pipeline.id} {...{ pipeline, base }} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </DeliveryPage>
  )
}

function PipelineRow({ pipeline, base }: { pipeline: Pipeline; base: string }) {
  const { id, status, ref, sha, source, created_at, user, duration, commit_title, stages } =
    pipeline
  return (
    <ListRow
      aside={
        <>
          {stages && stages.length > 0 ? (
            <ul class="pipeline-dots" aria-label={words.stages}>
              {stages.map((stage) => (
                <li key={stage.name}>
                  <Status isQuiet status={stage.status} of={stage.name} />
                </li>
              ))}
            </ul>
          ) : null}
          <Duration seconds={duration} />
          <Time at={created_at} />
        </>
      }
    >
      <div class="row pipeline-line">
        <Status status={status} />
        <a data-main href={`${base}/-/pipelines/${id}`}>
          #{id}
        </a>
        <span class="one-line pipeline-title">{commit_title}</span>
      </div>
      <div class="row pipeline-line pipeline-from">
        <a class="mono one-line" href={repositoryPageUrl(base, 'tree', ref)}>
          {ref}
        </a>
        <a class="mono" href={`${base}/-/commit/${sha}`}>
          {sha.slice(0, 8)}
        </a>
        <span>{words.sources[source] ?? source}</span>
        {user ? <a href={`/${user.username}`}>{words.by(user.name)}</a> : null}
      </div>
    </ListRow>
  )
}
