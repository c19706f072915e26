// Releases at the URLs in their records: the record as JSON, and redirects to assets.

import type { Actor } from '../../access/actor.ts'
import { canSeeProject } from '../../access/visibility.ts'
import type { Db } from '../../db/db.ts'
import {
  findLatestRelease,
  findRelease,
  findReleaseDownloadUrl,
} from '../../features/content/releases/release.ts'
import { showProjectReleases, showRelease } from '../../features/content/releases/show-releases.ts'
import { Answer } from '../../http/answer.ts'
import type { Instance, RequestFacts } from '../../http/endpoint.ts'
import { redirectLocationOf } from '../../http/redirect.ts'
import { timestamp } from '../../kernel/clock.ts'
import { unknownRoute } from '../../kernel/errors.ts'
import { findProject, findProjectIdByFormerPath, mayDownloadCode } from '../../subjects/project.ts'
import type { WebPage } from './find-page.ts'

type Uses = Pick<Instance, 'db' | 'git' | 'clock' | 'config'>
type Asked = {
  page: Extract<WebPage, { kind: 'releases' }>
  actor: Actor
  request: RequestFacts
  baseUrl: string
}
type Place = NonNullable<Awaited<ReturnType<typeof findProject>>>

/** Serves release pages to callers who may read the code; for all others there are no releases. */
export async function answerReleasePage(services: Uses, asked: Asked): Promise<Answer> {
  const { page, actor, baseUrl } = asked
  const place = await findPlace(services.db, asked)
  if (!place || !canSeeProject(actor, place)) throw unknownRoute()
  if (!mayDownloadCode({ subject: place.project, level: place.level, actor })) throw unknownRoute()
  const viewing = { ...services, actor, baseUrl }
  const { rest } = page
  if (rest.length === 0) return json(await showProjectReleases(viewing, place))
  if (rest[0] === 'permalink' && rest[1] === 'latest') return toLatest(services, asked, place)
  const at = rest.indexOf('downloads', 1)
  if (at < 0) {
    const tag = rest.join('/')
    const release = await findRelease(services.db, place.project.id, tag)
    if (!release) throw unknownRoute()
    return json(await showRelease(viewing, release, place))
  }
  const release = await findRelease(services.db, place.project.id, rest.slice(0, at).join('/'))
  const path = `/${rest.slice(at + 1).join('/')}`
  const url = release && (await findReleaseDownloadUrl(services.db, release, path))
  if (url === undefined) throw unknownRoute()
  return Answer.empty(302, { location: redirectLocationOf({ elsewhere: url }) })
}

async function findPlace(db: Db, { page, actor }: Asked): Promise<Place | undefined> {
  const found = await findProject(db, actor, { path: page.project })
  if (found) return found
  const id = await findProjectIdByFormerPath(db, page.project)
  return id === undefined ? undefined : findProject(db, actor, { id })
}

/** 302 to the same place of the newest release. */
async function toLatest(
  { db, clock }: Uses,
  { page, baseUrl }: Asked,
  { project }: Place,
): Promise<Answer> {
  const latest = await findLatestRelease(db, { project_id: project.id, now: timestamp(clock) })
  if (!latest) throw unknownRoute()
  const parts = [latest.tag, ...page.rest.slice(2)].map(encodeURIComponent)
  return Answer.empty(302, {
    location: redirectLocationOf({
      base: baseUrl,
      place: `/${project.full_path}/-/releases/${parts.join('/')}`,
    }),
  })
}

function json(body: unknown): Answer {
  return Answer.raw(Buffer.from(JSON.stringify(body)), { 'content-type': 'application/json' })
}
