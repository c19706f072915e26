// Who takes part in a project or a group: the same page for both.
import { useState } from 'preact/hooks'
import { invalidate } from '../../api/cache.ts'
import { type Answer, call } from '../../api/call.ts'
import { isAdministrator, user } from '../../api/session.ts'
import { useAllPages, useApi } from '../../api/use-api.ts'
import { members as words } from '../../text/members.ts'
import { formatDay, localMidnight } from '../../text/numbers.ts'
import { levelNames, roles } from '../../text/roles.ts'
import { Avatar } from '../avatar/avatar.tsx'
import { LoadingRows } from '../blank/blank.tsx'
import { Button, ButtonLink } from '../button/button.tsx'
import { Chip } from '../chip/chip.tsx'
import { Combobox, type ComboboxChoice } from '../combobox/combobox.tsx'
import { findGroups, findPeople } from '../combobox/finders.ts'
import { confirmBefore } from '../dialog/dialog.tsx'
import { SelectField, TextField } from '../field/field.tsx'
import { Form } from '../form/form.tsx'
import { List, ListRow } from '../list/list.tsx'
import { ListFilter } from '../list/list-filter.tsx'
import { Page, Section } from '../page/page.tsx'
import { Pager } from '../pager/pager.tsx'
import { pathnameOf } from '../project-address.ts'
import { RefusalNote } from '../refusal/refusal.tsx'
import { showToast } from '../toast/toast.tsx'

type Kind = 'projects' | 'groups'
type Source = { kind: Kind; id: number; mayManage: boolean; mayShare: boolean; mayAsk: boolean }
type Member = Answer<'GET /projects/:id/members'>[number]

/** The two have the same operations; a route names the one it is of. */
const listRoute = {
  projects: 'GET /projects/:id/members/all',
  groups: 'GET /groups/:id/members/all',
} as const
const ownRoute = {
  projects: 'GET /projects/:id/members',
  groups: 'GET /groups/:id/members',
} as const
const addRoute = {
  projects: 'POST /projects/:id/members',
  groups: 'POST /groups/:id/members',
} as const
const changeRoute = {
  projects: 'PUT /projects/:id/members/:user_id',
  groups: 'PUT /groups/:id/members/:user_id',
} as const
const removeRoute = {
  projects: 'DELETE /projects/:id/members/:user_id',
  groups: 'DELETE /groups/:id/members/:user_id',
} as const

const shareRoutes = {
  projects: {
    invited: 'GET /projects/:id/invited_groups',
    share: 'POST /projects/:id/share',
    end: 'DELETE /projects/:id/share/:group_id',
  },
  groups: {
    invited: 'GET /groups/:id/invited_groups',
    share: 'POST /groups/:id/share',
    end: 'DELETE /groups/:id/share/:group_id',
  },
} as const

export function membersInput(id: number, url: URL) {
  const query = url.searchParams.get('search')
  return {
    id,
    per_page: 50,
    page: Number(url.searchParams.get('page') ?? 1),
    ...(query ? { query } : {}),
  }
}

export function Members({ kind, id, url, mayManage, mayShare, mayAsk }: Source & { url: URL }) {
  const { data, page: pages, refusal, again } = useApi(listRoute[kind], membersInput(id, url))
  const { data: own } = useApi(
    ownRoute[kind],
    data && { id, user_ids: data.map((member) => member.id), per_page: 100 },
  )
  const isDirect = new Set(own?.map((member) => member.id))
  const isIn = data?.some((member) => member.id === user.value?.id)
  return (
    <Page title={words.title} lead={words.lead}>
      {mayAsk && data && !isIn ? <Ask kind={kind} id={id} /> : null}
      {mayManage ? <Waiters kind={kind} id={id} /> : null}
      <ListFilter label={words.filter} />
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? <p class="muted">{words.noMatches}</p> : null}
      {data && data.length > 0 ? (
        <List label={words.list}>
          {data.map((member) => (
            <MemberRow
              key={member.id}
              {...{ member, kind, id }}
              mayChange={mayManage && isDirect.has(member.id)}
              isInherited={own !== undefined && !isDirect.has(member.id)}
            />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
      {mayManage ? <AddMember kind={kind} id={id} /> : null}
      {mayShare ? <SharedWith kind={kind} id={id} /> : null}
    </Page>
  )
}

const urlOf = (kind: Kind, id: number) => `/api/v4/${kind}/${id}`

type RowProps = { member: Member; kind: Kind; id: number; mayChange: boolean; isInherited: boolean }

function MemberRow({ member, kind, id, mayChange, isInherited }: RowProps) {
  const after = () => invalidate(`${urlOf(kind, id)}/members`)
  const isSelf = member.id === user.value?.id
  const remove = () =>
    confirmBefore({
      ...(isSelf
        ? { title: words.leaveTitle[kind], text: words.leaveText, action: words.leave[kind] }
        : {
            title: words.removeTitle(member.name),
            text: words.removeText,
            action: words.removeConfirm,
          }),
      run: async () => {
        await call(removeRoute[kind], { id, user_id: member.id })
        after()
      },
    })
  const change = (level: string) =>
    void call(changeRoute[kind], { id, user_id: member.id, access_level: Number(level) }).then(
      after,
    )
  return (
    <ListRow
      aside={
        <>
          {member.expires_at ? (
            <Chip tone="warning">{words.expires(formatDay(localMidnight(member.expires_at)))}</Chip>
          ) : null}
          {isInherited ? <Chip>{words.inherited}</Chip> : null}
          {mayChange ? (
            <SelectField
              isLabelHidden
              label={words.roleOf(member.name)}
              options={roles.filter(
                ([level]) => kind === 'groups' || level !== '50' || member.access_level === 50,
              )}
              value={String(member.access_level)}
              onChange={(event) => change(event.currentTarget.value)}
            />
          ) : (
            <span>{levelNames[member.access_level]}</span>
          )}
          {mayChange || (isSelf && !isInherited) ? (
            <Button look="quiet" onClick={remove}>
              {isSelf ? (
                words.leave[kind]
              ) : (
                <>
                  {words.remove}
                  <span class="only-spoken"> {member.name}</span>
                </>
              )}
            </Button>
          ) : null}
        </>
      }
    >
      <div class="row">
        <Avatar name={member.name} url={member.avatar_url} />
        <a data-main href={`/${member.username}`}>
          {member.name}
        </a>
        <span class="muted">@{member.username}</span>
      </div>
    </ListRow>
  )
}

function AddMember({ kind, id }: { kind: Kind; id: number }) {
  const [who, setWho] = useState<ComboboxChoice>()
  const [made, setMade] = useState(0)
  const invite =
    kind === 'projects'
      ? ('POST /projects/:id/invitations' as const)
      : ('POST /groups/:id/invitations' as const)
  return (
    <Section title={words.add}>
      <Form
        key={made}
        action={words.add}
        onSubmit={async (values) => {
          const expires_at = values.text('expires_at') || null
          const access_level = Number(values.text('access_level')) as 10
          const isUser = who !== undefined && /^\d+$/.test(who.value)
          if (isUser)
            await call(addRoute[kind], {
              id,
              user_id: [Number(who.value)],
              access_level,
              expires_at,
            })
          else await call(invite, { id, email: [who?.value ?? ''], access_level, expires_at })
          invalidate(urlOf(kind, id))
          showToast(isUser ? words.added : words.invitationSent)
          setWho(undefined)
          setMade(made + 1)
        }}
      >
        <Combobox
          label={words.user}
          hint={words.userHint}
          isFree
          chosen={who}
          find={findPeople}
          onChoose={setWho}
          required
          problemsOf="user_id email"
        />
        <SelectField
          label={words.role}
          name="access_level"
          options={roles.filter(([level]) => kind === 'groups' || level !== '50')}
          value="30"
        />
        <Until />
      </Form>
    </Section>
  )
}

/** How long somebody takes part. */
function Until() {
  return (
    <TextField label={words.expiresAt} hint={words.expiresAtHint} name="expires_at" type="date" />
  )
}

/** Groups whose members all take part. */
function SharedWith({ kind, id }: { kind: Kind; id: number }) {
  const { invited, share, end } = shareRoutes[kind]
  const { data } = useAllPages(invited, { id, per_page: 100 })
  const [made, setMade] = useState(0)
  const after = () => {
    invalidate(urlOf(kind, id))
    setMade(made + 1)
  }
  return (
    <Section title={words.groups} lead={words.groupsLead}>
      {data?.length ? (
        <List label={words.groups}>
          {data.map((group) => (
            <ListRow
              key={group.id}
              aside={
                <Button
                  look="quiet"
                  onClick={() => void call(end, { id, group_id: group.id }).then(after)}
                >
                  {words.removeGroup}
                  <span class="only-spoken"> {group.name}</span>
                </Button>
              }
            >
              <a data-main href={pathnameOf(group.web_url)}>
                {group.name}
              </a>
            </ListRow>
          ))}
        </List>
      ) : null}
      <Form
        key={made}
        action={words.inviteGroup}
        onSubmit={async (values) => {
          const group_access = Number(values.text('group_access')) as 10
          const expires_at = values.text('expires_at') || null
          await call(share, {
            id,
            group_id: Number(values.text('group')),
            group_access,
            expires_at,
          })
          after()
        }}
      >
        <Combobox
          label={words.group}
          name="group"
          find={findGroups}
          required
          problemsOf="group_id"
        />
        <SelectField label={words.maximumRole} name="group_access" options={roles} value="30" />
        <Until />
      </Form>
    </Section>
  )
}

function Ask({ kind, id }: { kind: Kind; id: number }) {
  const [isDone, setDone] = useState(false)
  const route =
    kind === 'projects'
      ? ('POST /projects/:id/access_requests' as const)
      : ('POST /groups/:id/access_requests' as const)
  if (isDone) return <p role="status">{words.accessRequested}</p>
  return (
    <div>
      <Button onClick={() => void call(route, { id }).then(() => setDone(true))}>
        {words.requestAccess}
      </Button>
    </div>
  )
}

/** Who asks, and who was asked. */
function Waiters({ kind, id }: { kind: Kind; id: number }) {
  const isProject = kind === 'projects'
  const { data: requests } = useAllPages(
    isProject ? 'GET /projects/:id/access_requests' : 'GET /groups/:id/access_requests',
    { id, per_page: 100 },
  )
  const { data: invitations } = useAllPages(
    isProject ? 'GET /projects/:id/invitations' : 'GET /groups/:id/invitations',
    {
      id,
      per_page: 100,
    },
  )
  const after = () => invalidate(urlOf(kind, id))
  const approve = isProject
    ? ('PUT /projects/:id/access_requests/:user_id/approve' as const)
    : ('PUT /groups/:id/access_requests/:user_id/approve' as const)
  const deny = isProject
    ? ('DELETE /projects/:id/access_requests/:user_id' as const)
    : ('DELETE /groups/:id/access_requests/:user_id' as const)
  const takeBack = isProject
    ? ('DELETE /projects/:id/invitations/:email' as const)
    : ('DELETE /groups/:id/invitations/:email' as const)
  return (
    <>
      {requests && requests.length > 0 ? (
        <Section title={words.accessRequests}>
          <List label={words.accessRequests}>
            {requests.map((one) => (
              <ListRow
                key={one.id}
                aside={
                  <>
                    <Button onClick={() => void call(approve, { id, user_id: one.id }).then(after)}>
                      {words.approve}
                      <span class="only-spoken"> {one.name}</span>
                    </Button>
                    <Button
                      look="quiet"
                      onClick={() => void call(deny, { id, user_id: one.id }).then(after)}
                    >
                      {words.deny}
                      <span class="only-spoken"> {one.name}</span>
                    </Button>
                  </>
                }
              >
                <a data-main href={`/${one.username}`}>
                  {one.name}
                </a>
              </ListRow>
            ))}
          </List>
        </Section>
      ) : null}
      {invitations && invitations.length > 0 ? (
        <Section title={words.invitations} lead={words.invitationsLead}>
          <List label={words.invitations}>
            {invitations.map((one) => (
              <ListRow
                key={one.id}
                aside={
                  <>
                    <span>{levelNames[one.access_level]}</span>
                    {isAdministrator() ? (
                      <ButtonLink
                        look="quiet"
                        href={`/admin/users?new=true&email=${encodeURIComponent(one.invite_email)}`}
                      >
                        {words.createAccount}
                        <span class="only-spoken"> {one.invite_email}</span>
                      </ButtonLink>
                    ) : null}
                    <Button
                      look="quiet"
                      onClick={() =>
                        void call(takeBack, { id, email: one.invite_email }).then(after)
                      }
                    >
                      {words.revokeInvitation}
                      <span class="only-spoken"> {one.invite_email}</span>
                    </Button>
                  </>
                }
              >
                {one.invite_email}
              </ListRow>
            ))}
          </List>
        </Section>
      ) : null}
    </>
  )
}
