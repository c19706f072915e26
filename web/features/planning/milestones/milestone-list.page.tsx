// The milestones of a project or a group, by state.
import { useAbilities } from '../../../api/abilities.ts'
import type { Milestone } from '../../../api/operations.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { milestones as words } from '../../../text/milestones.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl, currentUrlWithQuery } from '../../../ui/navigation.ts'
import { PlanningPage } from '../../../ui/page/planning.tsx'
import type { PageModule, Place, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { placeBasePath } from '../../../ui/project-address.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { SearchField } from '../../../ui/search-field/search-field.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { formatMilestoneDates, TimeLeft } from './dates.tsx'
import { milestoneRoutesOf } from './milestone-calls.ts'
import { MilestoneProgress } from './milestone-progress.tsx'
import { useProgress } from './use-progress.ts'

type State = 'active' | 'closed' | 'all'

const stateOf = ({ searchParams }: URL): State => {
  const asked = searchParams.get('state')
  return asked === 'closed' || asked === 'all' ? asked : 'active'
}

function inputOf({ id }: Place, url: URL) {
  const search = url.searchParams.get('search')
  return {
    id,
    state: stateOf(url),
    per_page: 20,
    page: Number(url.searchParams.get('page') ?? 1),
    ...(search ? { search } : {}),
  }
}

export const page: PageModule<PlaceLocation> = {
  calls: ({ place, url }) => [apiReadUrl(milestoneRoutesOf(place).list, inputOf(place, url))],
  View: MilestoneList,
}

function MilestoneList({ at: { place } }: { at: PlaceLocation }) {
  const url = currentUrl.value
  const {
    data,
    page: pages,
    refusal,
    again,
  } = useApi(milestoneRoutesOf(place).list, inputOf(place, url))
  const can = useAbilities(place)
  const base = `${placeBasePath(place)}/-/milestones`
  const state = stateOf(url)
  const isNarrowed = state !== 'active' || url.searchParams.has('search')
  const tab = (name: State, label: string) => ({
    words: label,
    href: currentUrlWithQuery({ state: name === 'active' ? '' : name, page: '' }, url),
    isHere: state === name,
  })
  return (
    <PlanningPage
      place={place}
      title={words.title}
      actions={
        can('write_milestones') ? (
          <ButtonLink look="primary" href={`${base}/new`}>
            {words.new}
          </ButtonLink>
        ) : null
      }
    >
      <Tabs
        label={words.states}
        tabs={[tab('active', words.open), tab('closed', words.closed), tab('all', words.all)]}
      />
      <SearchField label={words.search} />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={isNarrowed ? words.noMatches : words.empty}>
          <p>{isNarrowed ? words.noMatchesText : words.emptyText}</p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.title}>
          {data.map((milestone) => (
            <MilestoneRow key={milestone.id} {...{ milestone, place, base }} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </PlanningPage>
  )
}

type RowProps = { milestone: Milestone; place: Place; base: string }

function MilestoneRow({ milestone, place, base }: RowProps) {
  const progress = useProgress(place, milestone)
  const { iid, title, state } = milestone
  return (
    <ListRow aside={<MilestoneProgress title={title} progress={progress} />}>
      <div class="row">
        <Status isQuiet status={state === 'active' ? 'opened' : 'closed'} />
        <a data-main href={`${base}/${iid}`}>
          <bdi>{title}</bdi>
        </a>
      </div>
      <div class="row muted">
        <span>{formatMilestoneDates(milestone)}</span>
        <TimeLeft milestone={milestone} />
      </div>
    </ListRow>
  )
}
