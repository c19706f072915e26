// What is found while a name is typed, among many projects, on both databases, beside the SQL of one
// look-up without a server.
import type { Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'
import { kinds, pageRow } from '../town-server.ts'

const users = 2000

/** All names have the first, few the second, and the last stands in the middle of some. */
const texts = ['pr', 'project', 'project-777', 'ject-77', 'no-such-name']

export function quickSearchRows({ projects }: Sizes): Row[] {
  const most = projects.at(-1) ?? 0
  return kinds.flatMap((kind) =>
    (['nobody', 'few', 'many', 'mayor'] as const).flatMap((who) =>
      texts.map((text) =>
        pageRow({
          name: `GET /search/quick?q=${text}, ${most}`,
          ...{ kind, who, size: { projects: most, users } },
          path: `/search/quick?q=${text}`,
          p90_ms: 20,
          text: `select id from projects where lower(path) like '${text}%' or lower(name) like '${text}%'
            order by id desc limit 12`,
        }),
      ),
    ),
  )
}
