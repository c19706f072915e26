// Lists of issues and merge requests in a project of many, beside the bare SQL of the page; issues made through
// the API beside bare inserts; and a long text in Markdown beside the parser alone.
import { randomUUID } from 'node:crypto'
import Database from 'better-sqlite3'
import MarkdownIt from 'markdown-it'
import type { Bench } from '../bench.ts'
import { callWell } from '../client.ts'
import { timeOften, timePairs } from '../measure.ts'
import { plannedServer } from '../planned.ts'
import { atMost, type Measured, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'
import { type Kind, kinds } from '../town-server.ts'

type Page = { what: string; path: string; where: string; kind?: 'merge_request'; order?: string }

const pages: readonly Page[] = [
  { what: 'issues, page 1', path: 'issues', where: '' },
  { what: 'issues, opened', path: 'issues?state=opened', where: "and state = 'opened'" },
  {
    what: 'issues, a rare label',
    path: 'issues?labels=label-7',
    where: `and id in (select issuable_id from issuable_labels
      where label_id in (select id from labels where title = 'label-7'))`,
  },
  {
    what: 'issues, a common label',
    path: 'issues?labels=label-0',
    where: `and exists (select 1 from issuable_labels where issuable_id = issuables.id
      and label_id in (select id from labels where title = 'label-0'))`,
  },
  {
    what: 'issues, two labels',
    path: 'issues?labels=label-0,label-8',
    where: `and id in (select issuable_id from issuable_labels
      where label_id in (select id from labels where title = 'label-8'))
      and exists (select 1 from issuable_labels where issuable_id = issuables.id
      and label_id in (select id from labels where title = 'label-0'))`,
  },
  {
    what: 'issues, a milestone',
    path: 'issues?milestone=m',
    where: "and milestone_id in (select id from milestones where title = 'm')",
  },
  {
    what: 'issues, an assignee',
    path: 'issues?assignee_id=1',
    where: `and exists (select 1 from issuable_assignees
      where issuable_id = issuables.id and user_id = 1)`,
  },
  {
    what: 'issues, a rare word',
    path: 'issues?search=door%20791900',
    where: "and lower(description) like '%791900%'",
  },
  {
    what: 'issues, by update',
    path: 'issues?order_by=updated_at&sort=asc',
    where: '',
    order: 'updated_at asc',
  },
  { what: 'merge requests', path: 'merge_requests', where: '', kind: 'merge_request' },
  {
    what: 'merge requests, a source',
    path: 'merge_requests?source_branch=topic-77&state=opened',
    where: `and state = 'opened' and id in (select issuable_id from merge_requests
      where source_branch = 'topic-77')`,
    kind: 'merge_request',
  },
]

const ratio_max = 4
const p90_ms_max = 50

async function measurePage(
  bench: Bench,
  kind: Kind,
  issues: number,
  page: Page,
): Promise<Measured> {
  const { server, project_id, headers, query } = await plannedServer(bench, kind, issues)
  const text = `select * from issuables where project_id = ${project_id}
    and kind = '${page.kind ?? 'issue'}' ${page.where}
    order by ${page.order ?? 'created_at desc'}, id desc limit 20`
  const from = `from issuables where project_id = ${project_id}
    and kind = '${page.kind ?? 'issue'}' ${page.where}`
  const of = (table: string, other: string) => `select * from ${table}
    inner join ${other}s on ${other}s.id = ${table}.${other}_id
    where issuable_id in (select id from (${text}) page)`
  const texts = [
    text,
    of('issuable_labels', 'label'),
    of('issuable_assignees', 'user'),
    `select count(*) from (select 1 ${from} limit 10001) counted`,
  ]
  const floor = async () => {
    for (const each of texts) await query(each)
  }
  const url = `${server.url}/api/v4/projects/${project_id}/${page.path}`
  const ask = () => callWell(url, { headers })
  const { floor_ms, ours_ms, p90_ms } = await timeOften(
    { floor, ours: ask },
    bench.sizes.samples * 3,
  )
  return {
    floor: {
      value: floor_ms,
      unit: 'ms',
      of: 'the SQL of a page, its labels and people, and the count',
    },
    ours: { value: ours_ms, unit: 'ms' },
    note: `p90 ${p90_ms.toFixed(1)} ms`,
  }
}

const p90Of = ({ note }: Measured) => Number(/p90 ([\d.]+)/.exec(note ?? '')?.[1])

/** A page costs the HTTP of it even where its SQL costs nothing. */
const http_ms = 1

function pageRow(kind: Kind, issues: number, page: Page): Row {
  return {
    name: `${page.what}, of ${issues}, ${kind}`,
    goal: {
      text: `<= ${ratio_max} x + ${http_ms} ms, p90 < ${p90_ms_max} ms`,
      isMet: (measured) =>
        p90Of(measured) < p90_ms_max &&
        measured.ours.value <= ratio_max * (measured.floor?.value ?? 0) + http_ms,
    },
    measure: (bench) => measurePage(bench, kind, issues, page),
  }
}

async function measureCreation(bench: Bench, issues: number): Promise<Measured> {
  const { server, project_id, headers } = await plannedServer(bench, 'SQLite', issues)
  const body = JSON.stringify({ title: 'Bellows', description: 'They leak', labels: 'label-3' })
  const url = `${server.url}/api/v4/projects/${project_id}/issues`
  const create = () => callWell(url, { method: 'POST', headers, body })
  for (let warming = 0; warming < 20; warming++) await create()
  const bare = new Database(`${bench.newFolder('bare')}.sqlite`)
  bare.pragma('journal_mode = WAL')
  bare.pragma('synchronous = FULL')
  bare.exec('create table t (id integer primary key, a text, b text, c text)')
  const insert = bare.prepare('insert into t (a, b, c) values (?, ?, ?)')
  const pairs = Array.from({ length: bench.sizes.samples * 3 }, () => ({
    floor: async () => insert.run(randomUUID(), 'They leak', 'label-3'),
    ours: create,
  }))
  const { floor_ms, ours_ms } = await timePairs(pairs)
  bare.close()
  return {
    floor: { value: floor_ms, unit: 'ms', of: 'one bare insert, synced' },
    ours: { value: ours_ms, unit: 'ms' },
  }
}

async function measureMarkdown(bench: Bench): Promise<Measured> {
  const { server, headers } = await plannedServer(bench, 'SQLite', 1000)
  const part =
    '## Slag\n\nIt *runs* from [the door](https://x.test) at `900` C.\n\n- one\n- two\n\n'
  const text = part.repeat(Math.ceil((900 * 1024) / part.length))
  const md = new MarkdownIt({ linkify: true })
  const url = `${server.url}/api/v4/markdown`
  const body = JSON.stringify({ text })
  const pairs = Array.from({ length: Math.min(bench.sizes.samples, 10) }, () => ({
    floor: async () => md.render(text),
    ours: () => callWell(url, { method: 'POST', headers, body }),
  }))
  const { floor_ms, ours_ms } = await timePairs(pairs)
  return {
    floor: { value: floor_ms, unit: 'ms', of: 'the parser alone' },
    ours: { value: ours_ms, unit: 'ms' },
    note: '900 KB, sanitized, in a thread',
  }
}

export function issueRows(sizes: Sizes): Row[] {
  const counts = sizes.projects.length > 2 ? [1000, 10_000, 100_000] : [1000, 5000]
  return [
    ...kinds.flatMap((kind) =>
      counts.flatMap((count) => pages.map((page) => pageRow(kind, count, page))),
    ),
    ...counts.map((count) => ({
      name: `issue made, beside ${count}`,
      goal: atMost(20),
      measure: (bench: Bench) => measureCreation(bench, count),
    })),
    { name: 'Markdown of 900 KB', goal: atMost(6), measure: measureMarkdown },
  ]
}
