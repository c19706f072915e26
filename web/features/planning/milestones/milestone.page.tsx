// A milestone: how far it is, its burndown chart, its issues and merge requests. The address has its number.
import { useState } from 'preact/hooks'
import { useAbilities } from '../../../api/abilities.ts'
import { call } from '../../../api/call.ts'
import type { BasicIssue, BasicMergeRequest, Milestone } from '../../../api/operations.ts'
import { useProject } from '../../../api/project.ts'
import { apiReadUrl, useAllPages, useApi } from '../../../api/use-api.ts'
import { Prose } from '../../../surfaces/prose/prose.tsx'
import { milestones as words } from '../../../text/milestones.ts'
import { ui } from '../../../text/ui.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { currentUrl, currentUrlWithQuery, navigate } from '../../../ui/navigation.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { PlanningPage } from '../../../ui/page/planning.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { pathnameOf, placeBasePath } from '../../../ui/project-address.ts'
import { StateBar } from '../../../ui/state-bar/state-bar.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'
import { Burndown } from './burndown.tsx'
import { formatMilestoneDates, TimeLeft } from './dates.tsx'
import { invalidateMilestones, milestoneByIidInput, milestoneRoutesOf } from './milestone-calls.ts'
import { MilestoneForm } from './milestone-form.tsx'
import { MilestoneProgress } from './milestone-progress.tsx'
import { useProgress } from './use-progress.ts'

export const page: PageModule<PlaceLocation> = {
  calls: ({ place }) => [apiReadUrl(milestoneRoutesOf(place).list, milestoneByIidInput(place))],
  View: ({ at: { place } }) => {
    const { data } = useApi(milestoneRoutesOf(place).list, milestoneByIidInput(place))
    const [milestone] = data ?? []
    if (!data) return null
    return milestone ? (
      <MilestonePage key={milestone.id} place={place} milestone={milestone} />
    ) : (
      <NotFoundPage />
    )
  },
}

function MilestonePage({ place, milestone }: { place: Place; milestone: Milestone }) {
  const routes = milestoneRoutesOf(place)
  const { id: milestone_id, iid, title, state } = milestone
  const of = { id: place.id, milestone_id }
  const { data: rendered } = useApi(routes.one, { ...of, render_html: true })
  const { data: issues } = useAllPages(routes.issues, { ...of, per_page: 100 })
  const progress = useProgress(place, milestone)
  const mayWrite = useAbilities(place)('write_milestones')
  const isOpen = state === 'active'
  const address = `${placeBasePath(place)}/-/milestones/${iid}`
  if (mayWrite && place.rest?.endsWith('/edit')) {
    return (
      <PlanningPage place={place} title={words.edit} tab={title}>
        <MilestoneForm
          place={place}
          milestone={milestone}
          onSave={async (texts) => {
            await call(routes.change, { ...of, ...texts })
            invalidateMilestones()
            navigate(address)
          }}
          onCancel={() => navigate(address)}
        />
      </PlanningPage>
    )
  }
  const changeState = async () => {
    await call(routes.change, { ...of, state_event: isOpen ? 'close' : 'activate' })
    invalidateMilestones()
  }
  return (
    <PlanningPage
      place={place}
      title={title}
      lead={formatMilestoneDates(milestone)}
      actions={mayWrite ? <Actions place={place} milestone={milestone} /> : null}
    >
      <StateBar
        state={<Status status={isOpen ? 'opened' : 'closed'} />}
        actions={
          mayWrite ? (
            <Button onClick={() => void changeState()}>
              {isOpen ? words.close : words.reopen}
            </Button>
          ) : null
        }
      >
        <span class="row">
          <TimeLeft milestone={milestone} />
          <MilestoneProgress title={title} progress={progress} />
        </span>
      </StateBar>
      {rendered?.description_html ? <Prose html={rendered.description_html} /> : null}
      {issues ? <Burndown {...{ place, milestone, issues }} /> : null}
      <Contents place={place} milestone={milestone} issues={issues} />
    </PlanningPage>
  )
}

function Actions({ place, milestone }: { place: Place; milestone: Milestone }) {
  const { id: milestone_id, iid, title } = milestone
  const of = { id: place.id, milestone_id }
  const list = `${placeBasePath(place)}/-/milestones`
  const { data: project } = useProject(place.id, { isAsked: place.kind === 'project' })
  const isInGroup = project?.namespace.kind === 'group'
  const canInGroup = useAbilities({
    kind: isInGroup ? 'group' : 'none',
    id: project?.namespace.id ?? 0,
  })
  const promote = () =>
    confirmBefore({
      title: words.promoteTitle(title),
      text: words.promoteText,
      action: words.promote,
      run: async () => {
        const promoted = await call('POST /projects/:id/milestones/:milestone_id/promote', of)
        invalidateMilestones()
        navigate(pathnameOf(promoted.web_url))
        showToast(words.promoted(title))
      },
    })
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(title),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call(milestoneRoutesOf(place).remove, of)
        invalidateMilestones()
        navigate(list, { replace: true })
        showToast(words.removed(title))
      },
    })
  return (
    <Menu
      look="quiet"
      label={words.menu}
      items={[
        { words: words.edit, href: `${list}/${iid}/edit` },
        canInGroup('write_milestones') && { words: words.promote, run: promote },
        { words: words.remove, run: remove, isDanger: true },
      ]}
    >
      <span aria-hidden="true">{ui.signs.more}</span>
    </Menu>
  )
}

function Contents({
  place,
  milestone,
  issues,
}: {
  place: Place
  milestone: Milestone
  issues: readonly BasicIssue[] | undefined
}) {
  const isRequests = currentUrl.value.searchParams.get('tab') === 'merge_requests'
  const requests = useAllPages(milestoneRoutesOf(place).requests, {
    id: place.id,
    milestone_id: milestone.id,
    per_page: 100,
  })
  const things = isRequests ? requests.data : issues
  return (
    <div class="stack">
      <Tabs
        label={words.parts}
        tabs={[
          {
            words: words.issues,
            href: currentUrlWithQuery({ tab: '' }),
            isHere: !isRequests,
            count: issues?.length,
          },
          {
            words: words.requests,
            href: currentUrlWithQuery({ tab: 'merge_requests' }),
            isHere: isRequests,
            count: requests.data?.length,
          },
        ]}
      />
      {things ? null : <LoadingRows />}
      {things?.length === 0 ? (
        <EmptyState title={isRequests ? words.noRequests : words.noIssues}>
          <p>{words.noneText}</p>
        </EmptyState>
      ) : null}
      {things && things.length > 0 ? <Things key={String(isRequests)} things={things} /> : null}
    </div>
  )
}

const shown_max = 50

/** What is open first. */
function Things({ things }: { things: readonly (BasicIssue | BasicMergeRequest)[] }) {
  const [max, setMax] = useState(shown_max)
  const isOpen = ({ state }: BasicIssue | BasicMergeRequest) => state === 'opened'
  const sorted = [...things.filter(isOpen), ...things.filter((one) => !isOpen(one))]
  const rest = sorted.length - max
  return (
    <>
      <List label={words.parts}>
        {sorted.slice(0, max).map((thing) => (
          <ListRow
            key={thing.id}
            aside={thing.assignees.map(({ id, name, avatar_url }) => (
              <span key={id} title={name}>
                <Avatar name={name} url={avatar_url} size={20} />
                <span class="only-spoken">{name}</span>
              </span>
            ))}
          >
            <div class="issuable-row-head">
              <Status isQuiet status={thing.state} />
              <a data-main class="issuable-title" href={pathnameOf(thing.web_url)}>
                <bdi>{thing.title}</bdi>
              </a>
            </div>
          </ListRow>
        ))}
      </List>
      {rest > 0 ? (
        <Button onClick={() => setMax(max + shown_max)}>
          {words.showMore(Math.min(rest, shown_max))}
        </Button>
      ) : null}
    </>
  )
}
