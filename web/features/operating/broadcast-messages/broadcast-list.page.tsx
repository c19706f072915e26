import { invalidate } from '../../../api/cache.ts'
import { type Answer, call } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { broadcastText as words } from '../../../text/broadcasts.ts'
import { levelNames } from '../../../text/roles.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { BroadcastBand } from '../../../ui/broadcast/broadcast.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Menu } from '../../../ui/menu/menu.tsx'
import { currentUrl, navigate } from '../../../ui/navigation.ts'
import { AdminPage } from '../../../ui/page/admin.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Status } from '../../../ui/status/status.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

type Message = Answer<'GET /broadcast_messages'>[number]

const base = '/admin/broadcast_messages'
const inputOf = (url: URL) => ({ per_page: 30, page: Number(url.searchParams.get('page') ?? 1) })

export const page: PageModule = {
  calls: ({ url }) => [apiReadUrl('GET /broadcast_messages', inputOf(url))],
  View: BroadcastList,
}

const after = () => invalidate('/api/v4/broadcast_messages')

function BroadcastList() {
  const {
    data,
    page: pages,
    refusal,
    again,
  } = useApi('GET /broadcast_messages', inputOf(currentUrl.value))
  return (
    <AdminPage
      title={words.title}
      lead={words.lead}
      actions={
        <ButtonLink look="primary" href={`${base}/new`}>
          {words.new}
        </ButtonLink>
      }
    >
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data?.length === 0 ? (
        <EmptyState title={words.empty}>
          <p>{words.emptyText}</p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <List label={words.list}>
          {data.map((message) => (
            <MessageRow key={message.id} message={message} />
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </AdminPage>
  )
}

function MessageRow({ message }: { message: Message }) {
  const { id, active, target_path, target_access_levels: levels } = message
  const isExpired = new Date(message.ends_at) < new Date()
  const state = active ? 'active' : isExpired ? 'expired' : 'scheduled'
  const remove = () =>
    confirmBefore({
      title: words.removeTitle,
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call('DELETE /broadcast_messages/:id', { id })
        after()
        showToast(words.removed)
      },
    })
  const end = async () => {
    await call('PUT /broadcast_messages/:id', { id, ends_at: new Date().toISOString() })
    after()
    showToast(words.ended)
  }
  const details = [
    words.typeNames[message.broadcast_type],
    words.between(new Date(message.starts_at), new Date(message.ends_at)),
    target_path ? words.onPath(target_path) : '',
    levels.length > 0 ? words.forRoles(levels.map((one) => levelNames[one] ?? String(one))) : '',
    message.dismissable ? words.dismissible : '',
  ]
  return (
    <ListRow
      aside={
        <>
          <Status status={state} words={words[state]} />
          <Menu
            look="quiet"
            label={words.menu(message.message.slice(0, 60))}
            items={[
              { words: words.edit, run: () => navigate(`${base}/${id}/edit`) },
              active && { words: words.end, run: () => void end() },
              { words: words.remove, run: remove, isDanger: true },
            ]}
          >
            {words.menuSign}
          </Menu>
        </>
      }
    >
      <BroadcastBand message={message} />
      <p class="muted">{details.filter(Boolean).join(' · ')}</p>
    </ListRow>
  )
}
