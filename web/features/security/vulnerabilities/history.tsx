// How the state of a vulnerability has changed, the newest first, and what of that holds now.
import type { Vulnerability, VulnerabilityStateTransition } from '../../../api/operations.ts'
import { useApi } from '../../../api/use-api.ts'
import { security, vulnerabilities as words } from '../../../text/security.ts'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { currentUrl } from '../../../ui/navigation.ts'
import { Section } from '../../../ui/page/page.tsx'
import { Pager } from '../../../ui/pager/pager.tsx'
import { Time } from '../../../ui/time/time.tsx'

const per_page = 20
const route = 'GET /vulnerabilities/:id/state_transitions'

const stateOf = (state: string) => security.states[state] ?? state
const reasons = new Map(words.reasons)

const inputOf = ({ id }: Vulnerability, page: number) => ({ id, per_page, page })

/** Who brought it into its state, when and why. */
export function LastStateChange({ vulnerability }: { vulnerability: Vulnerability }) {
  const { data } = useApi(route, inputOf(vulnerability, 1))
  const [last] = data ?? []
  if (!last) {
    return (
      <span class="row">
        {words.firstFound} <Time at={vulnerability.created_at} />
      </span>
    )
  }
  return <Change change={last} />
}

export function VulnerabilityHistory({ vulnerability }: { vulnerability: Vulnerability }) {
  const name = 'history_page'
  const number = Number(currentUrl.value.searchParams.get(name) ?? 1)
  const { data, page } = useApi(route, inputOf(vulnerability, number))
  const isLast = page !== undefined && page.next === null
  return (
    <Section title={words.history}>
      <List label={words.history}>
        {data?.map((change) => (
          <ListRow key={change.id}>
            <Change change={change} isWhole />
          </ListRow>
        ))}
        {isLast ? (
          <ListRow>
            <span class="row">
              {words.firstFound} <Time at={vulnerability.created_at} />
            </span>
          </ListRow>
        ) : null}
      </List>
      <Pager page={page} name={name} />
    </Section>
  )
}

function Change({ change, isWhole }: { change: VulnerabilityStateTransition; isWhole?: boolean }) {
  const { from_state, to_state, author, dismissal_reason: reason, comment, created_at } = change
  const isByScan = author === null && to_state === 'detected'
  const what = words.changedFrom(stateOf(from_state), stateOf(to_state))
  return (
    <>
      <span class="row">
        {isByScan ? words.foundAgain : isWhole ? what : null}
        {author ? <a href={`/${author.username}`}>{words.by(author.name)}</a> : null}
        <Time at={created_at} />
        {reason ? <span>{words.dismissedAs(reasons.get(reason) ?? reason)}</span> : null}
      </span>
      {isWhole && comment ? <p class="vulnerability-text muted">{comment}</p> : null}
    </>
  )
}
