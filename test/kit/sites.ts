// Sites as browsers ask for them: over real connections, by whatever host they say.
import { type IncomingHttpHeaders, request as requestPlainly } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { newCiProject, runJobWith } from './pipelines.ts'
import type { World } from './world.ts'

export type SiteAnswer = {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  text: string
  /** What the server showed over TLS. */
  certificate: string | undefined
}

/** Asks the listener at `port` for an address; over TLS where that begins with `https:`. */
export function browse(
  address: string,
  {
    port,
    method = 'GET',
    headers = {},
  }: { port: number; method?: string; headers?: Record<string, string> },
): Promise<SiteAnswer> {
  const [, scheme, host = '', path] = /^(https?):\/\/([^/]*)(.*)$/.exec(address) ?? []
  const isSecure = scheme === 'https'
  const options = {
    ...{ host: '127.0.0.1', port, method, path: path || '/', agent: false },
    headers: { host, ...headers },
  }
  return new Promise((resolve, reject) => {
    const make = isSecure
      ? requestSecurely({ ...options, servername: host.split(':')[0], rejectUnauthorized: false })
      : requestPlainly(options)
    make.on('error', reject)
    make.on('response', async (response) => {
      const socket = response.socket as { getPeerCertificate?: () => { subject?: { CN?: string } } }
      const certificate = socket.getPeerCertificate?.().subject?.CN
      const chunks: Buffer[] = []
      try {
        for await (const chunk of response) chunks.push(chunk as Buffer)
      } catch (error) {
        reject(error as Error)
        return
      }
      const body = Buffer.concat(chunks)
      const { statusCode: status = 0, headers } = response
      resolve({ status, headers, body, text: body.toString(), certificate })
    })
    make.end()
  })
}

export const pagesConfig = {
  pages: { script: 'true', artifacts: { paths: ['public'] } },
}

/** A project whose job `pages` has made a site of these files, named as they are in its archive. */
export async function newSite(
  world: World,
  files: Parameters<typeof runJobWith>[2],
  options: Parameters<World['newProject']>[0] & { access?: string } = {},
) {
  const { access = 'public', ...rest } = options
  const project = await newCiProject(world, pagesConfig, rest)
  await world.as('owner').put(`/projects/${project.id}`, { pages_access_level: access })
  const job = await runJobWith(world, project, files, { name: 'pages' })
  const [owner = '', ...path] = project.full_path.toLowerCase().split('/')
  return {
    project,
    job,
    owner,
    path: path.join('/'),
    url: `http://${owner}.pages.test/${path.join('/')}`,
  }
}

/** Has a domain verified for so long, as if its DNS record had been found. */
export async function enableDomain(
  { app }: Pick<World, 'app'>,
  domain: string,
  for_ms: number,
): Promise<void> {
  const enabled_until = new Date(app.clock.now().getTime() + for_ms).toISOString()
  const ours = app.db.updateTable('pages_domains').where('domain', '=', domain)
  await ours.set({ enabled_until }).execute()
}
