import { apiReadUrl, useApi, useApiUrl } from '../../../api/use-api.ts'
import { peopleText } from '../../../text/people.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { List } from '../../../ui/list/list.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { type ListedPerson, PeopleList } from '../../../ui/people-list.tsx'
import { type ListedProject, ProjectRow } from '../../../ui/project-row/project-row.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { ActivityList } from './activity-list.tsx'
import { Contributions, dayFilterInput, isDateText } from './contributions.tsx'
import { ProfileReadme, prefetchReadme } from './profile-readme.tsx'
import './user.css'

const tabs = ['overview', 'projects', 'starred', 'contributed', 'followers', 'following'] as const
type Tab = (typeof tabs)[number]

function tabOf({ url }: PlaceLocation): Tab {
  const asked = url.searchParams.get('tab')
  return tabs.find((tab) => tab === asked) ?? 'overview'
}

const pageOf = ({ url }: PlaceLocation) => Number(url.searchParams.get('page') ?? 1)

/** The day whose activity is asked for. */
function dateOf({ url }: PlaceLocation): string | undefined {
  const asked = url.searchParams.get('date')
  return isDateText(asked) ? asked : undefined
}

/** Whether the page begins with what the user says: the first one of all activity. */
const isFront = (at: PlaceLocation) => tabOf(at) === 'overview' && !dateOf(at) && pageOf(at) === 1

const usernameOf = ({ place }: PlaceLocation) => decodeURIComponent(place.canonical_path.slice(1))

/** What a tab lists. */
function listUrl(at: PlaceLocation): string {
  const { id } = at.place
  const ofPage = { per_page: 30, page: pageOf(at) }
  const user_id = String(id)
  const date = dateOf(at)
  switch (tabOf(at)) {
    case 'overview':
      return apiReadUrl('GET /users/:user_id/events', {
        user_id,
        ...ofPage,
        ...(date && dayFilterInput(date)),
        with_project: true,
      })
    case 'starred':
      return apiReadUrl('GET /users/:user_id/starred_projects', { user_id, ...ofPage })
    case 'contributed':
      return apiReadUrl('GET /users/:user_id/contributed_projects', { user_id, ...ofPage })
    case 'followers':
      return apiReadUrl('GET /users/:id/followers', { id, ...ofPage })
    case 'following':
      return apiReadUrl('GET /users/:id/following', { id, ...ofPage })
    default:
      return apiReadUrl('GET /users/:user_id/projects', {
        user_id,
        ...ofPage,
        order_by: 'last_activity_at',
      })
  }
}

export const page: PageModule<PlaceLocation> = {
  // The year and what follows it stand below, and come right after.
  calls: (at) => [
    apiReadUrl('GET /users/:id', { id: at.place.id }),
    tabOf(at) !== 'overview' && listUrl(at),
  ],
  prepare: async (at) => {
    if (isFront(at)) await prefetchReadme(usernameOf(at))
  },
  View: UserPage,
}

function UserPage({ at }: { at: PlaceLocation }) {
  const { id } = at.place
  const { data: user } = useApi('GET /users/:id', { id })
  const path = at.url.pathname
  const date = dateOf(at)
  const { data: status } = useApi('GET /users/:user_id/status', { user_id: String(id) })
  if (!user) return null
  const facts = [
    user.pronouns,
    user.work_information ?? user.job_title,
    user.location,
    user.public_email,
  ].filter(Boolean)
  return (
    <Page title={user.name} tab={user.name} isTitleHidden>
      <div class="user">
        <Avatar name={user.name} url={user.avatar_url} size={64} />
        <div class="user-words">
          <p class="user-name" aria-hidden="true">
            {user.name}
          </p>
          <p class="muted">{`@${user.username}`}</p>
          {status?.message ? <p>{status.message}</p> : null}
          {user.bio ? <p>{user.bio}</p> : null}
          {facts.length > 0 ? <p class="muted">{facts.join(' · ')}</p> : null}
          {user.website_url && /^https?:\/\//.test(user.website_url) ? (
            <p>
              <a href={user.website_url} rel="nofollow noreferrer">
                {user.website_url}
              </a>
            </p>
          ) : null}
          {user.created_at ? (
            <p class="muted">
              {peopleText.since} <Time at={user.created_at} />
            </p>
          ) : null}
        </div>
      </div>
      <Tabs
        label={peopleText.label}
        tabs={tabs.map((tab) => ({
          words: peopleText[tab],
          href: tab === 'overview' ? path : `${path}?tab=${tab}`,
          isHere: tab === tabOf(at),
        }))}
      />
      {tabOf(at) === 'overview' ? (
        <>
          {isFront(at) ? <ProfileReadme username={usernameOf(at)} /> : null}
          <Contributions
            id={id}
            chosen={date}
            href={(one) => (one === date ? path : `${path}?date=${one}`)}
          />
          <ActivityList url={listUrl(at)} date={date} home={path} />
        </>
      ) : (
        <Listed key={tabOf(at)} at={at} />
      )}
    </Page>
  )
}

function Listed({ at }: { at: PlaceLocation }) {
  const { data, page: pages } = useApiUrl<readonly (ListedProject | ListedPerson)[]>(listUrl(at))
  const tab = tabOf(at)
  if (!data) return <LoadingRows />
  if (data.length === 0)
    return <EmptyState title={peopleText.empty[tab === 'overview' ? 'projects' : tab]} />
  return (
    <>
      {tab === 'followers' || tab === 'following' ? (
        <PeopleList label={peopleText[tab]} people={data as readonly ListedPerson[]} />
      ) : (
        <List label={peopleText[tab]}>
          {(data as readonly ListedProject[]).map((project) => (
            <ProjectRow key={project.id} project={project} />
          ))}
        </List>
      )}
      <Pager page={pages} />
    </>
  )
}
