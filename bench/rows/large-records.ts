// The suite of real size, second part: a wiki of 10,000 pages, a project of 200,000 issues, a pipeline of 500 jobs and a
// log of 100 MB. What git does not do has no floor: a page must come within a second.
import type { Bench } from '../bench.ts'
import { type CiServer, type RunningJob, startCiServer } from '../ci-server.ts'
import { callWell } from '../client.ts'
import { freshServer } from '../fresh.ts'
import { plannedServer } from '../planned.ts'
import type { Goal, Row } from '../row.ts'
import type { Server } from '../server.ts'
import type { Sizes } from '../sizes.ts'
import { watch } from '../watch.ts'
import { beside, soon } from './large.ts'
import { newLog, sendLog } from './logs.ts'
import { pageAt, pagesText } from './wikis.ts'

type Site = { server: Server; headers: Record<string, string>; project_id: number }
type Work<S extends Site> = (site: S, ask: Ask) => Promise<unknown>
/** Calls the API below the project; throws where it refuses. */
type Ask = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

function row<S extends Site>(
  name: string,
  make: (bench: Bench) => Promise<S>,
  work: Work<S>,
  goal: Goal = soon,
): Row {
  return {
    name: `large: ${name}`,
    goal,
    async measure(bench) {
      const site = await make(bench)
      const { url, pid } = site.server
      const ask: Ask = async (method, path, body) => {
        const answer = await callWell(`${url}/api/v4/projects/${site.project_id}${path}`, {
          method,
          headers: { ...site.headers, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        })
        return JSON.parse(answer.body.toString() || '{}')
      }
      const healthUrl = `${url}/-/health`
      return beside(undefined, await watch(() => work(site, ask), { pid, healthUrl }))
    },
  }
}

/** Makes a site once, when the first row needs it. */
function once<S>(make: (bench: Bench) => Promise<S>): (bench: Bench) => Promise<S> {
  let made: Promise<S> | undefined
  return (bench) => {
    made ??= make(bench)
    return made
  }
}

const within = (seconds: number): Goal => ({
  text: `<= ${seconds} s, + 400 MB, health 200 ms`,
  isMet: ({ ours, more_mb = 0, health_ms = 0 }) =>
    ours.value <= seconds && more_mb <= 400 && health_ms <= 200,
})

export function largeRecordRows(sizes: Sizes): Row[] {
  const { large_issues, large_jobs, large_log_mb } = sizes
  const pages = sizes.wiki_pages.at(-1) ?? 0
  const wiki = once(async (bench) => {
    const server = await freshServer(bench)
    const { id } = await server.send('POST', '/projects', { name: 'wiki' })
    await server.push('root/wiki.wiki', pagesText(pages))
    return { ...server, project_id: Number(id) }
  })
  const issues = once((bench) => plannedServer(bench, 'SQLite', large_issues))
  const furnace = once((bench) =>
    startCiServer(bench, { config: { build: { script: 'true', parallel: 2 } } }),
  )
  const logged = once(async (bench): Promise<CiServer & { job: RunningJob; log: Buffer }> => {
    const ci = await furnace(bench)
    return { ...ci, job: await ci.takeJob(), log: newLog(large_log_mb * 1024 * 1024) }
  })
  const wide = once(async (bench) => {
    const ci = await furnace(bench)
    const jobs = Array.from({ length: large_jobs }, (_, number) => [
      `job-${number}`,
      { script: 'true' },
    ])
    return { ...ci, project_id: await ci.makeProject('wide', Object.fromEntries(jobs)) }
  })
  const newest = async (ask: Ask): Promise<string> => {
    const [pipeline] = (await ask('GET', '/pipelines')) as unknown as { id: number }[]
    return `/pipelines/${pipeline?.id}`
  }
  return [
    row('F, list of pages', wiki, (_, ask) => ask('GET', '/wikis')),
    row('F, one page', wiki, (_, ask) => ask('GET', `/wikis/${pageAt(7777 % pages)}`)),
    row('F, page made', wiki, (_, ask) =>
      ask('POST', '/wikis', { title: 'New', content: 'Of *today*.' }),
    ),
    row('F, page renamed', wiki, (_, ask) => ask('PUT', '/wikis/New', { title: 'Newer' })),
    row('F, page deleted', wiki, (_, ask) => ask('DELETE', '/wikis/Newer')),
    row('G, first page', issues, (_, ask) => ask('GET', '/issues?per_page=100')),
    row('G, page 100', issues, (_, ask) => ask('GET', '/issues?per_page=100&page=100')),
    row('G, a label, by update', issues, (_, ask) =>
      ask('GET', '/issues?labels=label-7&order_by=updated_at&per_page=100'),
    ),
    row('G, search', issues, (_, ask) => ask('GET', '/issues?search=bellows')),
    row('G, counts', issues, (_, ask) => ask('GET', '/issues_statistics')),
    row('G, issue and note made', issues, async (_, ask) => {
      const { iid } = await ask('POST', '/issues', { title: 'Bellows leak' })
      await ask('POST', `/issues/${iid}/notes`, { body: 'They do.' })
      await ask('GET', `/issues/${iid}/notes`)
    }),
    row('H, pipeline made', wide, (_, ask) => ask('POST', '/pipeline', { ref: 'main' })),
    row('H, its jobs', wide, async (_, ask) =>
      ask('GET', `${await newest(ask)}/jobs?per_page=100`),
    ),
    row('H, canceled', wide, async (_, ask) => ask('POST', `${await newest(ask)}/cancel`)),
    row('H, retried', wide, async (_, ask) => ask('POST', `${await newest(ask)}/retry`)),
    row('H, log sent', logged, (ci) => sendLog(ci, ci.job, ci.log), within(large_log_mb / 10)),
    row('H, lines of the log', logged, ({ job }, ask) =>
      ask('GET', `/jobs/${job.id}/trace?index=true`),
    ),
    row(
      'H, log read',
      logged,
      ({ server, headers, project_id, job }) =>
        callWell(`${server.url}/api/v4/projects/${project_id}/jobs/${job.id}/trace`, { headers }),
      within(large_log_mb / 50),
    ),
  ]
}
