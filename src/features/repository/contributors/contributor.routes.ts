import { Type } from 'typebox'
import type { Contributor } from '../../../git/contributors.ts'
import { resolveCommit } from '../../../git/refs.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { namedObject, oneOf, pageInput } from '../../../http/schema.ts'
import { mayDownloadCode, projectLoader, projectRepository } from '../../../subjects/project.ts'

const ContributorJson = namedObject('Contributor', {
  name: Type.String(),
  email: Type.String(),
  commits: Type.Integer(),
  additions: Type.Integer(),
  deletions: Type.Integer(),
})

const orders = ['email', 'name', 'commits'] as const

/** Compares two contributors; equal ones are ordered by email address. */
function compare(a: Contributor, b: Contributor, by: (typeof orders)[number]): number {
  const compareTexts = (x: string, y: string) => (x < y ? -1 : x > y ? 1 : 0)
  const order = by === 'commits' ? a.commits - b.commits : compareTexts(a[by], b[by])
  return order || compareTexts(a.email, b.email)
}

const endpoint = endpointFactory({ tag: 'Repositories', on: projectLoader })

export const contributorEndpoints = [
  endpoint({
    route: 'GET /projects/:id/repository/contributors',
    summary: 'List the contributors of a repository',
    allow: mayDownloadCode,
    input: Type.Object({
      ...pageInput,
      order_by: Type.Optional(oneOf(orders, { default: 'commits' })),
      sort: Type.Optional(oneOf(['asc', 'desc'], { default: 'asc' })),
    }),
    answer: Type.Array(ContributorJson),
    async run(context) {
      const { git, config, subject, input } = context
      const repository = projectRepository(config, subject)
      const tip = await resolveCommit(git.objects, repository, 'HEAD')
      const contributors = tip ? await git.contributors.of(repository, tip) : []
      const by = input.order_by ?? 'commits'
      const sign = input.sort === 'desc' ? -1 : 1
      const sorted = contributors.toSorted((a, b) => sign * compare(a, b, by))
      const { range } = context
      const page = sorted.slice(range.offset, range.offset + range.per_page)
      // The real product has returned 0 for both since 13.4 and calls them deprecated.
      const items = page.map((contributor) => ({ ...contributor, additions: 0, deletions: 0 }))
      return new Page({ items, total: sorted.length })
    },
  }),
]
