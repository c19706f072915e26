// What the rows share: sizes, a temporary folder, and sites and servers made when first asked for.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeConnections } from './client.ts'
import { heavyHistory, longHistory, manyBranches } from './histories.ts'
import { type Server, startFloorServer, startServer } from './server.ts'
import { type Content, makeSite, type Site, type SiteProject } from './site.ts'
import type { Sizes } from './sizes.ts'

export type ServedSite = Site & { server: Server; headers: Record<string, string> }

export class Bench {
  readonly sizes: Sizes
  readonly folder = mkdtempSync(join(tmpdir(), 'bloomery-bench-'))
  /** Folder for profiles of servers; undefined for none. */
  readonly profile: string | undefined
  readonly #sites = new Map<string, Promise<Site>>()
  readonly #served = new Map<string, Promise<ServedSite>>()
  #floor: Promise<Server> | undefined
  readonly #closing: (() => Promise<unknown>)[] = []
  #numbers = 0

  constructor(sizes: Sizes, profile: string | undefined) {
    this.sizes = sizes
    this.profile = profile
  }

  /** A number not given before, for names that must be new. */
  nextNumber(): number {
    return this.#numbers++
  }

  /** A folder of its own within the temporary one; it need not exist yet. */
  newFolder(name: string): string {
    return join(this.folder, `${name}-${this.nextNumber()}`)
  }

  /** A site of so many projects, one of them `plain`: 100 commits, 10 branches. */
  massSite(projects: number): Promise<Site> {
    const [few = 0] = this.sizes.commits
    return this.#site(`mass-${projects}`, projects, {
      plain: () => join2(longHistory(few), manyBranches(this.sizes.branches[0])),
    })
  }

  /** The site of the repositories: `plain`, `long` in commits, `branchy`, and `heavy` in bytes. */
  repositorySite(): Promise<Site> {
    const { commits, branches, heavy_mb } = this.sizes
    return this.#site('repositories', 100, {
      plain: () => join2(longHistory(commits[0]), manyBranches(branches[0])),
      long: () => join2(longHistory(commits[1]), manyBranches(branches[0])),
      branchy: () => join2(longHistory(commits[0]), manyBranches(branches[1])),
      heavy: () => heavyHistory(heavy_mb),
    })
  }

  async serve(site: Site): Promise<ServedSite> {
    let served = this.#served.get(site.data)
    if (!served) {
      served = startServer({ data: site.data, profile: this.profile }).then((server) => ({
        ...site,
        server,
        headers: { 'private-token': site.token },
      }))
      this.#served.set(site.data, served)
    }
    return served
  }

  floorServer(): Promise<Server> {
    this.#floor ??= startFloorServer(this.folder)
    return this.#floor
  }

  /** Runs this before the folder goes. */
  whenClosed(end: () => Promise<unknown>): void {
    this.#closing.push(end)
  }

  /** Stops everything and removes what was made. */
  async close(): Promise<void> {
    closeConnections()
    await Promise.allSettled(this.#closing.map((end) => end()))
    const served = await Promise.allSettled(this.#served.values())
    for (const result of served) if (result.status === 'fulfilled') await result.value.server.stop()
    await (await this.#floor?.catch(() => undefined))?.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  #site(name: string, mass: number, contents: Record<string, () => Content>): Promise<Site> {
    let site = this.#sites.get(name)
    if (!site) {
      process.stderr.write(`creating the site ${name}\n`)
      site = makeSite(join(this.folder, name), { mass, contents })
      this.#sites.set(name, site)
    }
    return site
  }
}

function* join2(first: Content, second: Content): Generator<string | Buffer> {
  yield* first
  yield* second
}

export function projectOf(site: Site, name: string): SiteProject {
  const project = site.projects[name]
  if (!project) throw new Error(`Project ${name} not found on the site.`)
  return project
}

/** `.../repository/files/<path>` of the project, without the server's address. */
export function fileUrl(project: SiteProject, path: string, rest: string): string {
  return `/api/v4/projects/${project.id}/repository/files/${encodeURIComponent(path)}${rest}`
}
