// Loads the records of a page of releases with a few queries, and their commits from the cache.

import type { Static } from 'typebox'
import { type Actor, isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import { asOid, tagRef } from '../../../git/names.ts'
import type { Commit } from '../../../git/objects.ts'
import { peelToCommit, readRef } from '../../../git/refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp, today } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'
import {
  findMilestones,
  presentMilestone,
  projectHasMilestones,
} from '../../planning/milestones/milestone.ts'
import { mayReadReleasedCode, mayWriteReleases, type ReleaseSubject } from './release.policy.ts'
import { presentRelease, type ReleasedMilestone, type ReleaseJson } from './release.present.ts'
import {
  findLinksByReleaseIds,
  findReleaseAuthors,
  findReleaseMilestones,
  findReleaseProjects,
  listReleases,
} from './release.store.ts'
import type { Release } from './release.ts'

export type ShowReleasesContext = Pick<Instance, 'db' | 'git' | 'clock' | 'config'> & {
  actor: Actor
  baseUrl: string
}

/** A project with releases, and the caller's level on it. */
export type ReleaseProject = {
  project: ReleaseSubject &
    Pick<
      Project,
      | 'id'
      | 'path'
      | 'full_path'
      | 'repository_storage'
      | 'issues_access_level'
      | 'merge_requests_access_level'
    >
  level: number
}

/** Returns the records of releases of one project or several. `places` contains each of these projects. */
export async function showReleases(
  viewing: ShowReleasesContext,
  releases: readonly Release[],
  places: ReadonlyMap<number, ReleaseProject>,
): Promise<Static<typeof ReleaseJson>[]> {
  const { db, actor, baseUrl, clock } = viewing
  const ids = releases.map(({ id }) => id)
  const authorIds = releases.map(({ author_id }) => author_id).filter((id) => id !== null)
  const links = await findLinksByReleaseIds(db, ids)
  const authors = await findReleaseAuthors(db, [...new Set(authorIds)])
  const milestones = await showMilestones(viewing, ids)
  const now = timestamp(clock)
  return Promise.all(
    releases.map(async (release) => {
      const place = places.get(release.project_id)
      if (!place)
        throw new Error(`Project ${release.project_id} of release ${release.id} was not loaded.`)
      const facts = { subject: place.project, level: place.level, actor }
      const isWhole = mayReadReleasedCode(facts)
      return presentRelease(release, {
        baseUrl,
        project: place.project,
        isWhole,
        mayEdit: mayWriteReleases(facts),
        now,
        author: authors.get(release.author_id ?? 0),
        commit: isWhole ? await commitOf(viewing, place.project, release) : undefined,
        links: links.get(release.id) ?? [],
        milestones: seesMilestones(place) ? (milestones.get(release.id) ?? []) : [],
      })
    }),
  )
}

const seesMilestones = ({ project, level }: ReleaseProject) => projectHasMilestones(project, level)

/** Returns the newest releases of a project, as many as a page has. */
export async function showProjectReleases(
  viewing: ShowReleasesContext,
  place: ReleaseProject,
): Promise<Static<typeof ReleaseJson>[]> {
  const range = { offset: 0, per_page: limits.per_page_default }
  const { rows } = await listReleases(viewing.db, place.project.id, range)
  return showReleases(viewing, rows, new Map([[place.project.id, place]]))
}

/** Returns the record of a release of a project. */
export async function showRelease(
  viewing: ShowReleasesContext,
  release: Release,
  place: ReleaseProject,
): Promise<Static<typeof ReleaseJson>> {
  const places = new Map([[place.project.id, place]])
  const [shown] = await showReleases(viewing, [release], places)
  if (!shown) throw new Error(`Release ${release.id} was not presented.`)
  return shown
}

/** Loads the projects of releases with one query. */
export async function loadReleaseProjects(
  { db, actor }: ShowReleasesContext,
  releases: readonly Release[],
): Promise<Map<number, ReleaseProject>> {
  const ids = [...new Set(releases.map(({ project_id }) => project_id))]
  const rows = await findReleaseProjects(db, { user_id: actor.user?.id ?? 0, ids })
  return new Map(
    rows.map(({ namespace_path, namespace_level, project_level, ...project }) => [
      project.id,
      {
        project: { ...project, full_path: `${namespace_path}/${project.path}` },
        level: isAdmin(actor) ? Level.owner : Math.max(namespace_level ?? 0, project_level ?? 0),
      },
    ]),
  )
}

async function showMilestones(
  { db, clock, actor, baseUrl }: ShowReleasesContext,
  releaseIds: readonly number[],
): Promise<Map<number, ReleasedMilestone[]>> {
  const rows = await findReleaseMilestones(db, actor, releaseIds)
  const milestones = await findMilestones(
    db,
    rows.map(({ milestone_id }) => milestone_id),
  )
  const shown = new Map<number, ReleasedMilestone[]>()
  for (const { release_id, milestone_id, total, closed } of rows) {
    const milestone = milestones.get(milestone_id)
    if (!milestone) continue
    const record = presentMilestone(milestone, { baseUrl, today: today(clock) })
    const known = shown.get(release_id) ?? []
    shown.set(release_id, [...known, { ...record, issue_stats: { total, closed } }])
  }
  return shown
}

/**
 * Returns the commit that the release was created from; if it no longer exists, the current commit of its
 * tag.
 */
async function commitOf(
  { git, config }: ShowReleasesContext,
  project: ReleaseProject['project'],
  { sha, tag }: Release,
): Promise<Commit | undefined> {
  const repository = projectRepository(config, project)
  const ref = tagRef(tag)
  const candidates = [asOid(sha ?? ''), ref && readRef(repository, ref)]
  for (const oid of candidates) {
    const commit = oid && (await peelToCommit(git.objects, repository, oid))
    if (commit) return git.objects.commit(repository, commit)
  }
  return undefined
}
