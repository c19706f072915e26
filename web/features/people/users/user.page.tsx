import { useState } from 'preact/hooks'
import { touch } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { user as signedIn } from '../../../api/session.ts'
import { need, useApi, useUrl } from '../../../api/use-api.ts'
import { day } from '../../../text/numbers.ts'
import { people } from '../../../text/people.ts'
import { Avatar } from '../../../ui/avatar/avatar.tsx'
import { Blank, Waiting } from '../../../ui/blank/blank.tsx'
import { Button, ButtonLink } from '../../../ui/button/button.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { ProjectRows } from '../../../ui/project-rows/project-rows.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'

const tabs = ['projects', 'starred', 'contributed', 'followers'] as const

export const page: PageModule<AtPlace> = {
  calls: ({ place }) => [need('GET /users/:id', { id: place.id })],
  View: UserPage,
}

function UserPage({ at: { place, url } }: { at: AtPlace }) {
  const { data: user } = useApi('GET /users/:id', { id: place.id })
  const { data: status } = useApi('GET /users/:user_id/status', { user_id: String(place.id) })
  const tab = tabs.find((one) => one === url.searchParams.get('tab')) ?? 'projects'
  if (!user) return null
  const isSelf = signedIn.value?.id === user.id
  return (
    <Page
      title={user.name}
      tab={`${user.name} (${user.username})`}
      actions={
        isSelf ? (
          <ButtonLink href="/-/profile">{people.edit}</ButtonLink>
        ) : signedIn.value ? (
          <Follow id={user.id} />
        ) : null
      }
    >
      <div class="row">
        <Avatar name={user.name} url={user.avatar_url} size={64} />
        <div>
          <p class="mono">@{user.username}</p>
          {status?.message ? <p>{status.message}</p> : null}
          {user.bio ? <p>{user.bio}</p> : null}
          <p class="muted">
            {[user.location, user.organization, user.pronouns].filter(Boolean).join(' · ')}{' '}
            {user.created_at ? people.member(day(new Date(user.created_at))) : ''}
          </p>
        </div>
      </div>
      <Tabs
        label={people.tabs(user.name)}
        tabs={tabs.map((one) => ({
          words: people[one],
          href: `/${user.username}${one === 'projects' ? '' : `?tab=${one}`}`,
          isHere: one === tab,
        }))}
      />
      {tab === 'followers' ? (
        <Followers id={user.id} />
      ) : (
        <Projects id={user.id} tab={tab} url={url} />
      )}
    </Page>
  )
}

function Follow({ id }: { id: number }) {
  const [isFollowed, setFollowed] = useState(false)
  const toggle = async () => {
    await call(isFollowed ? 'POST /users/:id/unfollow' : 'POST /users/:id/follow', { id })
    touch(`/api/v4/users/${id}`)
    setFollowed(!isFollowed)
  }
  return (
    <Button onClick={() => void toggle()}>{isFollowed ? people.unfollow : people.follow}</Button>
  )
}

type List_ = Parameters<typeof ProjectRows>[0]['list']

function Projects({
  id,
  tab,
  url,
}: {
  id: number
  tab: 'projects' | 'starred' | 'contributed'
  url: URL
}) {
  const name = {
    projects: 'projects',
    starred: 'starred_projects',
    contributed: 'contributed_projects',
  }[tab]
  const number = url.searchParams.get('page') ?? '1'
  const { data, page: pages } = useUrl<List_>(
    `/api/v4/users/${id}/${name}?simple=true&per_page=30&page=${number}`,
  )
  if (!data) return <Waiting />
  return (
    <>
      {data.length === 0 ? (
        <Blank title={people.none} />
      ) : (
        <ProjectRows list={data} label={people[tab]} />
      )}
      <Pager page={pages} />
    </>
  )
}

function Followers({ id }: { id: number }) {
  const { data } = useApi('GET /users/:id/followers', { id, per_page: 100 })
  if (!data) return <Waiting />
  if (data.length === 0) return <Blank title={people.none} />
  return (
    <List label={people.followers}>
      {data.map((one) => (
        <Row key={one.id}>
          <div class="row">
            <Avatar name={one.name} url={one.avatar_url} />
            <a data-main href={`/${one.username}`}>
              {one.name}
            </a>
            <span class="muted">@{one.username}</span>
          </div>
        </Row>
      ))}
    </List>
  )
}
