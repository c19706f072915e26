// Wikis of so many pages: one page the first time and again, and the list of all of them, beside git itself and a
// bare server.
import type { Bench } from '../bench.ts'
import { callWell } from '../client.ts'
import { type Fresh, freshServer } from '../fresh.ts'
import { rateOf } from '../load.ts'
import { runGit } from '../machine.ts'
import { median, time_ms } from '../measure.ts'
import { atLeast, type Measured, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'

const folders = 100

export function* pagesText(pages: number): Generator<string> {
  yield 'commit refs/heads/main\ncommitter Smith <smith@bloomery.test> 1700000000 +0000\ndata 1\nw\n'
  for (let at = 0; at < pages; at++) {
    const text = `# Page ${at}\n\n${'A line of *text*.\n'.repeat(20)}`
    const path = `folder-${at % folders}/page-${at}.md`
    yield `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
  }
}

type Wiki = Fresh & { url: string; path: string }
const wikis = new Map<number, Promise<Wiki>>()
let fresh: Promise<Fresh> | undefined

/** A project whose wiki has so many pages, on one server for all sizes. */
function wikiOf(bench: Bench, pages: number): Promise<Wiki> {
  const known = wikis.get(pages)
  if (known) return known
  fresh ??= freshServer(bench)
  const made = fresh.then(async (server) => {
    const { id } = await server.send('POST', '/projects', { name: `wiki-${pages}` })
    const path = `root/wiki-${pages}.wiki`
    await server.push(path, pagesText(pages))
    return { ...server, path, url: `${server.server.url}/api/v4/projects/${id}/wikis` }
  })
  wikis.set(pages, made)
  return made
}

export const pageAt = (at: number) => encodeURIComponent(`folder-${at % folders}/page-${at}`)

async function measureFirst(bench: Bench, pages: number): Promise<Measured> {
  const { url, headers } = await wikiOf(bench, pages)
  const times: number[] = []
  const samples = Math.min(bench.sizes.samples, pages)
  for (let sample = 0; sample < samples; sample++) {
    const at = Math.floor((sample * pages) / samples)
    times.push(await time_ms(() => callWell(`${url}/${pageAt(at)}`, { headers })))
  }
  return { ours: { value: median(times), unit: 'ms' } }
}

async function measureAgain(bench: Bench, pages: number): Promise<Measured> {
  const { url, headers } = await wikiOf(bench, pages)
  const floor = await bench.floorServer()
  const duration_s = bench.sizes.rate_s
  return {
    floor: {
      value: await rateOf(`${floor.url}/things/thing-5`, { duration_s }),
      unit: '/s',
      of: 'a bare server with one look-up',
    },
    ours: { value: await rateOf(`${url}/${pageAt(7)}`, { duration_s, headers }), unit: '/s' },
  }
}

async function measureList(bench: Bench, pages: number): Promise<Measured> {
  const { url, headers, server, path } = await wikiOf(bench, pages)
  const clone = bench.newFolder('clone')
  const remote = new URL(`${server.url}/${path}.git`)
  remote.username = 'bench'
  remote.password = headers['private-token'] ?? ''
  await runGit(['clone', '--quiet', '--bare', remote.toString(), clone])
  const list = () => callWell(url, { headers })
  const first_ms = await time_ms(list)
  const floors: number[] = []
  const ours: number[] = []
  for (let sample = 0; sample < bench.sizes.samples; sample++) {
    floors.push(await time_ms(() => runGit([`--git-dir=${clone}`, 'ls-tree', '-r', 'main'])))
    ours.push(await time_ms(list))
  }
  ours.sort((a, b) => a - b)
  const p90 = ours[Math.floor(ours.length * 0.9)] ?? 0
  return {
    floor: { value: median(floors), unit: 'ms', of: 'git ls-tree -r' },
    ours: { value: median(ours), unit: 'ms' },
    note: `first ${first_ms.toFixed(0)} ms, p90 ${p90.toFixed(1)} ms`,
  }
}

export function wikiRows({ wiki_pages }: Sizes): Row[] {
  return wiki_pages.flatMap((pages) => [
    {
      name: `wiki page, first, of ${pages}`,
      goal: { text: '< 50 ms', isMet: ({ ours }) => ours.value < 50 },
      measure: (bench) => measureFirst(bench, pages),
    },
    {
      name: `wiki page, again, of ${pages}`,
      goal: atLeast(0.25),
      measure: (bench) => measureAgain(bench, pages),
    },
    {
      name: `wiki list, of ${pages}`,
      goal: {
        text: 'p90 < 50 ms',
        isMet: ({ note }) => Number(/p90 ([\d.]+)/.exec(note ?? '')?.[1]) < 50,
      },
      measure: (bench) => measureList(bench, pages),
    },
  ])
}
