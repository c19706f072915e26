import { type Static, Type } from 'typebox'
import type { Commit } from '../../../git/objects.ts'
import { namedObject, nullable, nullableText } from '../../../http/schema.ts'
import { BasicUserJson, presentBasicUser, type User } from '../../../subjects/user.ts'
import { MilestoneJson } from '../../planning/milestones/milestone.ts'
import { CommitJson, presentCommit } from '../../repository/commits/commit.ts'
import type { ReleaseLink } from './release.store.ts'
import type { Release } from './release.ts'
import { isExternalLink, releaseSourceArchives, releaseUrl } from './release-assets.ts'

export const ReleaseLinkJson = namedObject('ReleaseLink', {
  id: Type.Integer(),
  name: Type.String(),
  url: Type.String(),
  direct_asset_url: Type.String(),
  external: Type.Boolean(),
  link_type: Type.String(),
})

const SourceJson = namedObject('ReleaseSource', { format: Type.String(), url: Type.String() })

export const ReleaseJson = namedObject('Release', {
  name: Type.String(),
  tag_name: Type.Optional(Type.String()),
  description: nullableText,
  description_html: Type.Optional(Type.String()),
  created_at: Type.String(),
  released_at: Type.String(),
  author: Type.Optional(BasicUserJson),
  commit: Type.Optional(nullable(CommitJson)),
  upcoming_release: Type.Boolean(),
  milestones: Type.Optional(
    Type.Array(
      Type.Object({
        ...MilestoneJson.properties,
        issue_stats: Type.Object({ total: Type.Integer(), closed: Type.Integer() }),
      }),
    ),
  ),
  commit_path: Type.Optional(Type.String()),
  tag_path: Type.Optional(Type.String()),
  assets: Type.Object({
    count: Type.Integer(),
    sources: Type.Optional(Type.Array(SourceJson)),
    links: Type.Array(ReleaseLinkJson),
  }),
  evidences: Type.Optional(Type.Array(Type.Unknown())),
  _links: Type.Record(Type.String(), Type.String()),
})

/** A release in lists of groups with `simple`. */
export const SimpleReleaseJson = namedObject('SimpleRelease', {
  name: Type.String(),
  tag_name: Type.String(),
  description: nullableText,
  created_at: Type.String(),
  released_at: Type.String(),
  upcoming_release: Type.Boolean(),
})

/** A milestone of a release, with the numbers of its closed and all issues. */
export type ReleasedMilestone = NonNullable<Static<typeof ReleaseJson>['milestones']>[number]

export type ReleasePresenterInput = {
  baseUrl: string
  project: { full_path: string; path: string }
  /** Whether the caller may read the code. Otherwise the record has no commit, tag or sources. */
  isWhole: boolean
  mayEdit: boolean
  now: string
  author: Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'> | undefined
  commit: Commit | undefined
  links: readonly ReleaseLink[]
  milestones: readonly ReleasedMilestone[]
}

/** Presents a release, with its keys in the order clients know (docs/api/releases.md, "Record"). */
export function presentRelease(
  release: Release,
  view: ReleasePresenterInput,
): Static<typeof ReleaseJson> {
  const { baseUrl, project, isWhole, author, commit, milestones } = view
  const { tag } = release
  const projectUrl = `${baseUrl}/${project.full_path}`
  return {
    name: isWhole ? (release.name ?? tag) : `Release-${release.id}`,
    ...(isWhole ? { tag_name: tag } : {}),
    description: release.description,
    created_at: release.created_at,
    released_at: release.released_at,
    ...(author ? { author: presentBasicUser(author, baseUrl) } : {}),
    ...(isWhole ? { commit: commit ? presentCommit(commit, projectUrl) : null } : {}),
    upcoming_release: release.released_at > view.now,
    ...(milestones.length > 0 ? { milestones: [...milestones] } : {}),
    ...(isWhole && commit ? { commit_path: `/${project.full_path}/-/commit/${commit.oid}` } : {}),
    ...(isWhole ? { tag_path: `/${project.full_path}/-/tags/${encodeURIComponent(tag)}` } : {}),
    assets: presentAssets(release, view, projectUrl),
    ...(isWhole ? { evidences: [] } : {}),
    _links: linksOf(release, view, projectUrl),
  }
}

function presentAssets(
  { tag }: Release,
  { project, isWhole, links }: ReleasePresenterInput,
  url: string,
) {
  const sources = releaseSourceArchives(url, { project, tag })
  return {
    count: links.length + (isWhole ? sources.length : 0),
    ...(isWhole ? { sources } : {}),
    links: links.map((link) => presentReleaseLink(link, { projectUrl: url, tag })),
  }
}

const searches = [
  ['opened_merge_requests_url', 'merge_requests', 'opened'],
  ['merged_merge_requests_url', 'merge_requests', 'merged'],
  ['closed_merge_requests_url', 'merge_requests', 'closed'],
  ['opened_issues_url', 'issues', 'opened'],
  ['closed_issues_url', 'issues', 'closed'],
] as const

function linksOf(
  { tag }: Release,
  { isWhole, mayEdit }: ReleasePresenterInput,
  projectUrl: string,
) {
  if (!isWhole) return {}
  const self = releaseUrl(projectUrl, tag)
  const query = `release_tag=${encodeURIComponent(tag)}&scope=all`
  const found = searches.map(([key, list, state]) => [
    key,
    `${projectUrl}/-/${list}?${query}&state=${state}`,
  ])
  return {
    self,
    ...(mayEdit ? { edit_url: `${self}/edit` } : {}),
    ...Object.fromEntries(found),
  } as Record<string, string>
}

export function presentReleaseLink(
  { id, name, url, filepath, link_type }: ReleaseLink,
  { projectUrl, tag }: { projectUrl: string; tag: string },
): Static<typeof ReleaseLinkJson> {
  return {
    id,
    name,
    url,
    direct_asset_url:
      filepath === null ? url : `${releaseUrl(projectUrl, tag)}/downloads${filepath}`,
    external: isExternalLink(url, projectUrl),
    link_type,
  }
}

export function presentSimpleRelease(
  { name, tag, description, created_at, released_at }: Release,
  now: string,
): Static<typeof SimpleReleaseJson> {
  const upcoming_release = released_at > now
  return {
    name: name ?? tag,
    tag_name: tag,
    description,
    created_at,
    released_at,
    upcoming_release,
  }
}
