// Files of sites, beside a bare server of the same files from a folder.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as listenAnywhere } from 'node:net'
import { join } from 'node:path'
import { zipOf } from '../../test/kit/zip.ts'
import type { Bench } from '../bench.ts'
import { startCiServer } from '../ci-server.ts'
import { callWell } from '../client.ts'
import { rateOf } from '../load.ts'
import { atLeast, type Measured, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'

const host = 'root.pages.bench.test'
const boundary = 'bench-boundary'
const content = Buffer.alloc(4096, 'basalt ')

async function findPort(): Promise<number> {
  const server = listenAnywhere().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A site of that many files, served; answers where one of them is. */
async function startSite(
  bench: Bench,
  files: number,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await findPort()
  const config = { pages: { script: 'true', artifacts: { paths: ['public'] } } }
  const ci = await startCiServer(bench, {
    config,
    env: { BLOOMERY_PAGES_HOST: 'pages.bench.test', BLOOMERY_PAGES_PORT: String(port) },
  })
  const api = `${ci.server.url}/api/v4`
  const send = (path: string, body: object) =>
    callWell(`${api}${path}`, {
      method: 'PUT',
      headers: { ...ci.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await send(`/projects/${ci.project_id}`, { pages_access_level: 'public' })
  const job = await ci.takeJob()
  const names = Array.from({ length: files }, (_, at) => [`public/${at}.html`, content])
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="artifacts.zip"\r\n\r\n`
  await callWell(`${api}/jobs/${job.id}/artifacts?artifact_type=archive&artifact_format=zip`, {
    method: 'POST',
    headers: {
      'job-token': job.token,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: Buffer.concat([
      Buffer.from(head),
      zipOf(Object.fromEntries(names)),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  })
  await send(`/jobs/${job.id}`, { token: job.token, state: 'success' })
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${api}/projects/${ci.project_id}/pages`, { headers: ci.headers })
    await answer.text()
    if (answer.status === 200) break
    if (tries === 100) throw new Error('The site is not published.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { url: `http://127.0.0.1:${port}/furnace/1.html`, stop: ci.server.stop }
}

async function measure(bench: Bench, files: number, duration_s: number): Promise<Measured> {
  const folder = bench.newFolder('site')
  await mkdir(folder)
  await writeFile(join(folder, '1.html'), content)
  const bare = createServer(async ({ url = '' }, response) => {
    const bytes = await readFile(join(folder, url))
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': bytes.length })
    response.end(bytes)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => bare.once('listening', resolve))
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/1.html`
  const floor = await rateOf(bareUrl, { duration_s })
  bare.close()
  const site = await startSite(bench, files)
  const ours = await rateOf(site.url, { duration_s, headers: { host } })
  await site.stop()
  return {
    floor: { value: floor, unit: '/s', of: 'bare server, a file' },
    ours: { value: ours, unit: '/s' },
  }
}

export function pagesRows({ rate_s }: Sizes): Row[] {
  return [2, 10_000].map((files) => ({
    name: `pages, a file of 4 KB in a site of ${files.toLocaleString('en')}`,
    goal: atLeast(0.5),
    measure: (bench) => measure(bench, files, rate_s),
  }))
}
