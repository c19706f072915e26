import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { sessions } from '../../../text/own-settings.ts'
import { ownSettingsPlaces } from '../../../text/places.ts'
import { programOfUserAgent } from '../../../text/programs.ts'
import { LoadingRows } from '../../../ui/blank/blank.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl } from '../../../ui/navigation.ts'
import { OwnSettings } from '../../../ui/page/own-settings.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

const inputOf = (url: URL) => ({ per_page: 50, page: Number(url.searchParams.get('page') ?? 1) })

export const page: PageModule = {
  calls: ({ url }) => [apiReadUrl('GET /user/sessions', inputOf(url))],
  View: Sessions,
}

function Sessions() {
  const {
    data,
    page: pages,
    refusal,
    again,
  } = useApi('GET /user/sessions', inputOf(currentUrl.value))
  return (
    <OwnSettings title={ownSettingsPlaces.sessions} lead={sessions.lead}>
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data || refusal ? null : <LoadingRows />}
      {data ? (
        <List label={sessions.list}>
          {data.map((session) => (
            <ListRow
              key={session.id}
              aside={
                <>
                  <Time at={session.last_used_at} />
                  {session.current ? (
                    <Chip tone="passed">{sessions.current}</Chip>
                  ) : (
                    <Button look="quiet" onClick={() => void end(session.id)}>
                      {sessions.revoke}
                      <span class="only-spoken"> {nameOf(session)}</span>
                    </Button>
                  )}
                </>
              }
            >
              <strong title={session.user_agent ?? ''}>{nameOf(session)}</strong>
              {session.impersonated ? <Chip>{sessions.impersonated}</Chip> : null}
              <p class="muted">{sessions.ipAddress(session.ip_address ?? '')}</p>
            </ListRow>
          ))}
        </List>
      ) : null}
      <Pager page={pages} />
    </OwnSettings>
  )
}

function nameOf({ user_agent }: { user_agent: string | null }): string {
  return programOfUserAgent(user_agent ?? '') || sessions.unknown
}

async function end(id: number): Promise<void> {
  await call('DELETE /user/sessions/:id', { id })
  invalidate('/api/v4/user/sessions')
  showToast(sessions.revoked)
}
