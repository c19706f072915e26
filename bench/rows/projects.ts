// The list of projects in a town of many, for those who see none of it, a little, a tenth and all, on
// both databases, beside the page's own SQL without a server.
import type { Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'
import { kinds, pageRow, rateRow, type Who } from '../town-server.ts'

const users = 2000

/** Twenty whole rows with their namespaces, of those the caller sees. */
function pageText(who: Who, { where = '', order = 'p.id desc' } = {}): string {
  const ids: Record<Who, number> = { nobody: 0, few: 100_000, many: 100_001, mayor: 0 }
  const open = who === 'nobody' ? "('public')" : "('public', 'internal')"
  const seen = `(p.visibility in ${open}
    or exists (select 1 from namespace_access a
      where a.user_id = ${ids[who]} and a.namespace_id = p.namespace_id)
    or exists (select 1 from project_access a
      where a.user_id = ${ids[who]} and a.project_id = p.id))`
  return `select p.*, n.name as n_name, n.full_path from projects p
    join namespaces n on n.id = p.namespace_id
    where p.state = 'ready' ${who === 'mayor' ? '' : `and ${seen}`} ${where}
    order by ${order} limit 20`
}

function contains(text: string): string {
  const columns = ['p.path', 'p.name', 'p.description']
  return `and (${columns.map((column) => `lower(${column}) like '%${text}%'`).join(' or ')})`
}

/** One's own projects alone, as docs/api/projects.md, "List", has it for this order. */
function similarText(who: Who, text: string): string {
  const ids: Record<Who, number> = { nobody: 0, few: 100_000, many: 100_001, mayor: 100_002 }
  const held = `and p.id in (select h.id from namespace_access a
      join projects h on h.namespace_id = a.namespace_id where a.user_id = ${ids[who]}
      union select project_id from project_access where user_id = ${ids[who]})`
  const fit = `case when lower(p.path) like '${text}%' then 2000 - length(p.path) else 0 end`
  return who === 'nobody'
    ? pageText(who, { where: contains(text) })
    : pageText('mayor', { where: `${held} ${contains(text)}`, order: `${fit} desc, p.id desc` })
}

type Page = { what: string; query: string; text: (who: Who) => string; p90_ms?: number }

const pages: Page[] = [
  { what: 'page 1', query: 'per_page=20', text: (who) => pageText(who) },
  {
    what: 'keyset',
    query: 'pagination=keyset&order_by=id&per_page=20',
    text: (who) => pageText(who),
  },
]
const searches: Page[] = [
  {
    what: 'search',
    query: 'search=works+number+7&per_page=20',
    text: (who) => pageText(who, { where: contains('works number 7') }),
    p90_ms: 15,
  },
  {
    what: 'similarity',
    query: 'search=project-77&order_by=similarity&per_page=20',
    text: (who) => similarText(who, 'project-77'),
    p90_ms: 15,
  },
]

export function projectRows(sizes: Sizes): Row[] {
  return [...rateRows(sizes), ...pageRows(sizes)]
}

/** Whole records to those who are signed in, at the rate of many who ask at once. */
function rateRows({ projects }: Sizes): Row[] {
  return kinds.flatMap((kind) =>
    projects.flatMap((count) => {
      const size = { projects: count, users }
      return [
        ...(['few', 'mayor'] as const).map((who) =>
          rateRow({
            name: `rate of GET /projects, ${count}`,
            ...{ kind, who, size, path: () => '/projects?per_page=20', goal: 0.12 },
          }),
        ),
        rateRow({
          name: `rate of GET /projects/:id, ${count}`,
          ...{ kind, who: 'nobody', size, path: (id) => `/projects/${id}`, goal: 0.4 },
        }),
      ]
    }),
  )
}

function pageRows({ projects }: Sizes): Row[] {
  const most = projects.at(-1)
  return kinds.flatMap((kind) =>
    projects.flatMap((count) =>
      (['nobody', 'few', 'many', 'mayor'] as const).flatMap((who) =>
        [...pages, ...(count === most ? searches : [])].map(({ what, query, text, p90_ms }) =>
          pageRow({
            name: `GET /projects ${what}, ${count}`,
            ...{ kind, who, size: { projects: count, users } },
            path: `/projects?${query}`,
            text: text(who),
            p90_ms,
            most: count === most ? 4 : undefined,
          }),
        ),
      ),
    ),
  )
}
