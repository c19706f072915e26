import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { mayInProject, type ProjectRecord, useProject } from '../../../api/project.ts'
import { user } from '../../../api/session.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { schedules as words } from '../../../text/ci-settings.ts'
import { EmptyState } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { canChangeSchedule } from './can-change-schedule.ts'
import { useCronDescriber } from './use-cron-describer.ts'

type Schedule = Answer<'GET /projects/:id/pipeline_schedules'>[number]

const inputOf = ({ place, url }: PlaceLocation) => ({
  id: place.id,
  per_page: 50,
  page: Number(url.searchParams.get('page') ?? 1),
})

export const page: PageModule<PlaceLocation> = {
  calls: (at) => [apiReadUrl('GET /projects/:id/pipeline_schedules', inputOf(at))],
  View: ScheduleList,
}

function ScheduleList({ at }: { at: PlaceLocation }) {
  const { data, page: pages } = useApi('GET /projects/:id/pipeline_schedules', inputOf(at))
  const { data: project } = useProject(at.place.id)
  const base = `${placeBasePath(at.place)}/-/pipeline_schedules`
  const mayMake = mayInProject(project, 'create_pipeline_schedules')
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        mayMake ? (
          <ButtonLink look="primary" href={`${base}/new`}>
            {words.add}
          </ButtonLink>
        ) : null
      }
    >
      {data?.length === 0 ? (
        <EmptyState title={words.empty}>
          <p>{words.emptyText}</p>
        </EmptyState>
      ) : null}
      <List label={words.title}>
        {data?.map((schedule) => (
          <ScheduleRow key={schedule.id} {...{ schedule, project, base, mayMake }} />
        ))}
      </List>
      <Pager page={pages} />
    </Page>
  )
}

type RowProps = {
  schedule: Schedule
  project: ProjectRecord | undefined
  base: string
  mayMake: boolean
}

function ScheduleRow({ schedule, project, base, mayMake }: RowProps) {
  const { id, description, ref, cron, cron_timezone, next_run_at, active, owner } = schedule
  const cronWords = useCronDescriber()
  const given = { id: project?.id ?? 0, pipeline_schedule_id: id }
  const after = () => invalidate(`/api/v4/projects/${given.id}/pipeline_schedules`)
  const isOwn = owner?.id === user.value?.id
  const isMine = mayMake && canChangeSchedule(schedule)
  const play = async () => {
    await call('POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/play', given)
    showToast(words.pipelineStarted)
  }
  const take = () =>
    void call(
      'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/take_ownership',
      given,
    ).then(after)
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(description),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call('DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id', given)
        after()
      },
    })
  return (
    <ListRow
      aside={
        <>
          {active ? (
            <span>
              {words.nextRun} <Time at={next_run_at} />
            </span>
          ) : (
            <Chip tone="warning">{words.inactive}</Chip>
          )}
          {mayMake ? (
            <>
              <Button onClick={() => void play()}>
                {words.runNow}
                <span class="only-spoken"> {description}</span>
              </Button>
              <Menu
                look="quiet"
                label={words.menu(description)}
                items={[
                  isMine && { words: words.edit, run: () => navigate(`${base}/${id}/edit`) },
                  !isOwn && { words: words.takeOwnership, run: take },
                  { words: words.remove, run: remove, isDanger: true },
                ]}
              >
                {words.menuSign}
              </Menu>
            </>
          ) : null}
        </>
      }
    >
      <div class="row">
        {isMine ? (
          <a data-main href={`${base}/${id}/edit`}>
            {description}
          </a>
        ) : (
          <strong>{description}</strong>
        )}
        <span class="mono">{ref}</span>
      </div>
      <p class="muted">
        <span class="mono">{cron}</span>{' '}
        {[cronWords(cron), cron_timezone, owner && words.owner(owner.name)]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </ListRow>
  )
}
