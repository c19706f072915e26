// The list of users among many, as administrators and others see it, on both databases, beside the
// page's own SQL without a server.
import type { Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'
import { kinds, pageRow, type Who } from '../town-server.ts'

const projects = 500

type Page = { what: string; query: string; where: string; p90_ms?: number }

const pages: Page[] = [
  { what: 'page 1', query: 'per_page=20', where: '' },
  {
    what: 'username',
    query: 'username=TOWNSMAN-77',
    where: "where lower(username) = 'townsman-77'",
  },
  {
    what: 'search',
    query: 'search=sman-7&per_page=20',
    where: "where lower(name) like '%sman-7%' or lower(username) like '%sman-7%'",
    p90_ms: 15,
  },
]

export function userRows(sizes: Sizes): Row[] {
  return kinds.flatMap((kind) =>
    sizes.projects.flatMap((users) =>
      (['few', 'mayor'] as const satisfies Who[]).flatMap((who) =>
        pages.map(({ what, query, where, p90_ms }) =>
          pageRow({
            name: `GET /users ${what}, ${users}`,
            ...{ kind, who, size: { projects, users } },
            path: `/users?${query}`,
            p90_ms,
            text: `select * from users ${where} order by id desc limit 20`,
          }),
        ),
      ),
    ),
  )
}
