import { Type } from 'typebox'
import { endpointsWith } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { nullable, nullableText, oneOf, pageInput, record } from '../../../http/schema.ts'
import { BasicUserJson, findUsers, presentBasicUser } from '../../../subjects/user.ts'
import { listTransitions } from './state-transition.store.ts'
import { aVulnerability, readVulnerabilities } from './vulnerability.policy.ts'
import { vulnerabilityStates } from './vulnerability.ts'

const endpoint = endpointsWith({
  tag: 'Vulnerabilities',
  tier: 'ultimate',
  signIn: 'always',
  on: aVulnerability,
})

const StateTransitionJson = record('VulnerabilityStateTransition', {
  id: Type.Integer(),
  from_state: oneOf(vulnerabilityStates),
  to_state: oneOf(vulnerabilityStates),
  author: nullable(BasicUserJson),
  dismissal_reason: nullableText,
  comment: nullableText,
  created_at: Type.String(),
})

export const stateTransitionEndpoints = [
  endpoint({
    route: 'GET /vulnerabilities/:id/state_transitions',
    summary: 'List the changes of the state of a vulnerability',
    allow: readVulnerabilities,
    input: Type.Object(pageInput),
    answer: Type.Array(StateTransitionJson),
    async run({ db, subject, range, baseUrl }) {
      const { rows, total } = await listTransitions(db, subject.vulnerability.id, range)
      const authors = await findUsers(
        db,
        rows.map(({ author_id }) => author_id),
      )
      const items = rows.map(({ author_id, vulnerability_id: _, ...transition }) => {
        const author = author_id === null ? undefined : authors.get(author_id)
        return { ...transition, author: author ? presentBasicUser(author, baseUrl) : null }
      })
      return new Page({ items, total })
    },
  }),
]
