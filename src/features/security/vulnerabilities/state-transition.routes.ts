import { Type } from 'typebox'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { namedObject, nullable, nullableText, oneOf, pageInput } from '../../../http/schema.ts'
import { BasicUserJson, findUsersByIds, presentBasicUser } from '../../../subjects/user.ts'
import { listStateTransitions } from './state-transition.store.ts'
import { mayReadVulnerabilities, vulnerabilityLoader } from './vulnerability.policy.ts'
import { vulnerabilityStates } from './vulnerability.ts'

const endpoint = endpointFactory({
  tag: 'Vulnerabilities',
  tier: 'ultimate',
  signIn: 'always',
  on: vulnerabilityLoader,
})

const StateTransitionJson = namedObject('VulnerabilityStateTransition', {
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
    allow: mayReadVulnerabilities,
    input: Type.Object(pageInput),
    answer: Type.Array(StateTransitionJson),
    async run({ db, subject, range, baseUrl }) {
      const { rows, total } = await listStateTransitions(db, subject.vulnerability.id, range)
      const authors = await findUsersByIds(
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
