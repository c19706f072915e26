// Where a user is signed in, for administrators to end it.
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import { useApi } from '../../../api/use-api.ts'
import { sessions } from '../../../text/own-settings.ts'
import { programOfUserAgent } from '../../../text/programs.ts'
import { userAccess as words } from '../../../text/user-access.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

export function UserSessions({ id }: { id: number }) {
  const { data, refusal, again } = useApi('GET /users/:id/sessions', { id, per_page: 20 })
  const end = async (session_id: number) => {
    await call('DELETE /users/:id/sessions/:session_id', { id, session_id })
    invalidate(`/api/v4/users/${id}/sessions`)
    showToast(words.sessionEnded)
  }
  return (
    <Section title={words.sessions}>
      {refusal && !data ? <RefusalNote refusal={refusal} onAgain={again} /> : null}
      {data?.length === 0 ? <p class="muted">{words.noSessions}</p> : null}
      {data && data.length > 0 ? (
        <List label={words.sessions}>
          {data.map((session) => {
            const name = programOfUserAgent(session.user_agent) || sessions.unknown
            return (
              <ListRow
                key={session.id}
                aside={
                  <>
                    <Time at={session.last_used_at} />
                    {session.current ? (
                      <Chip tone="passed">{sessions.current}</Chip>
                    ) : (
                      <Button look="quiet" onClick={() => void end(session.id)}>
                        {words.endSession}
                        <span class="only-spoken"> {name}</span>
                      </Button>
                    )}
                  </>
                }
              >
                <strong title={session.user_agent}>{name}</strong>
                {session.impersonated ? <Chip>{sessions.impersonated}</Chip> : null}
                <p class="muted">{sessions.ipAddress(session.ip_address)}</p>
              </ListRow>
            )
          })}
        </List>
      ) : null}
    </Section>
  )
}
