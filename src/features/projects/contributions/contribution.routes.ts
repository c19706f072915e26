import { anyone } from '../../../access/rule.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { today, utcDayOf } from '../../../kernel/clock.ts'
import { listUserProjects, UserProjectsInput } from '../projects/list-user-projects.ts'
import { ShownProjectsJson } from '../projects/show-projects.ts'

/** Returns the same day a year earlier; 1 March for 29 February. */
function aYearBefore(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCFullYear(date.getUTCFullYear() - 1)
  return utcDayOf(date.toISOString())
}

const endpoint = endpointFactory({ tag: 'Projects', signIn: 'never' })

export const contributionEndpoints = [
  endpoint({
    route: 'GET /users/:user_id/contributed_projects',
    summary: 'List the projects a user contributed to in the past year',
    allow: anyone,
    input: UserProjectsInput,
    answer: ShownProjectsJson,
    run(context) {
      const since = aYearBefore(today(context.clock))
      return listUserProjects(context, ({ id }) => ({ contributed_by: { id, since } }))
    },
  }),
]
