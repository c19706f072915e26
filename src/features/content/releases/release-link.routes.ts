import { Type } from 'typebox'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { atLeastOneOf } from '../../../http/parameters.ts'
import { oneOf, optionalText, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid, recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { type Project, projectLoader, projectUrl } from '../../../subjects/project.ts'
import { mayReadReleases, mayWriteReleases, mayWriteReleaseTag } from './release.policy.ts'
import { presentReleaseLink, ReleaseLinkJson } from './release.present.ts'
import {
  deleteReleaseLink,
  findReleaseLink,
  hasReleaseLinksAtLeast,
  insertReleaseLink,
  listReleaseLinks,
  type ReleaseLink,
  updateReleaseLink,
} from './release.store.ts'
import { findRelease, type Release } from './release.ts'
import {
  type NewReleaseLink,
  releaseLinkProblems,
  releaseLinkTypes,
  withLinkConflictErrors,
} from './release-link.ts'

const endpoint = endpointFactory({ tag: 'Release links', on: projectLoader, jobToken: 'free' })
const base = '/projects/:id/releases/:tag_name/assets/links' as const
const one = `${base}/:link_id(^\\d+$)` as const

const tagInput = { tag_name: Type.String({ description: 'URL-encoded name of the tag.' }) }
const linkInput = { ...tagInput, link_id: Type.Integer() }
const moreInput = {
  filepath: optionalText,
  direct_asset_path: optionalText,
  // Clients send an empty text for no type.
  link_type: Type.Optional(oneOf([...releaseLinkTypes, ''], { default: 'other' })),
}

type LinkContext<Input = { tag_name: string }> = Context<Project, Input>

async function getRelease({ db, subject, input }: LinkContext): Promise<Release> {
  const release = await findRelease(db, subject.id, input.tag_name)
  if (!release) throw recordNotFound()
  return release
}

async function getLink(
  { db, input }: LinkContext<{ tag_name: string; link_id: number }>,
  release: Release,
): Promise<ReleaseLink> {
  const link = await findReleaseLink(db, { release_id: release.id, id: input.link_id })
  if (!link) throw recordNotFound()
  return link
}

function show({ subject, baseUrl, input }: LinkContext, link: ReleaseLink) {
  return presentReleaseLink(link, { projectUrl: projectUrl(baseUrl, subject), tag: input.tag_name })
}

function check(link: Omit<NewReleaseLink, 'link_type'>): void {
  const problems = releaseLinkProblems(link)
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

export const releaseLinkEndpoints = [
  endpoint({
    route: `GET ${base}`,
    summary: 'List the links of a release',
    allow: mayReadReleases,
    input: Type.Object({ ...tagInput, ...pageInput }),
    answer: Type.Array(ReleaseLinkJson),
    async run(context) {
      const release = await getRelease(context)
      const { rows, total } = await listReleaseLinks(context.db, release.id, context.range)
      return new Page({ items: rows.map((link) => show(context, link)), total })
    },
  }),

  endpoint({
    route: `GET ${one}`,
    summary: 'Get a link of a release',
    allow: mayReadReleases,
    input: Type.Object(linkInput),
    answer: ReleaseLinkJson,
    async run(context) {
      return show(context, await getLink(context, await getRelease(context)))
    },
  }),

  endpoint({
    route: `POST ${base}`,
    summary: 'Add a link to a release',
    allow: mayWriteReleases,
    input: Type.Object({ ...tagInput, name: Type.String(), url: Type.String(), ...moreInput }),
    status: 201,
    answer: ReleaseLinkJson,
    load: getRelease,
    authorize: mayWriteReleaseTag,
    async run(context) {
      const { db, clock, input, loaded: release } = context
      const { name, url, direct_asset_path, filepath } = input
      const link_type = input.link_type || 'other'
      const link = { name, url, link_type, filepath: direct_asset_path || filepath || null }
      check(link)
      const maximum = limits.release_links_max
      await lockOwner(db, { kind: 'release', id: release.id })
      if (await hasReleaseLinksAtLeast(db, release.id, maximum)) {
        throw invalid({ base: [`Maximum number of links (${maximum}) exceeded`] })
      }
      const times = { created_at: timestamp(clock) }
      const made = { ...link, ...times, release_id: release.id }
      return show(context, await withLinkConflictErrors(() => insertReleaseLink(db, made)))
    },
  }),

  endpoint({
    route: `PUT ${one}`,
    summary: 'Change a link of a release',
    allow: mayWriteReleases,
    input: Type.Object({ ...linkInput, name: optionalText, url: optionalText, ...moreInput }),
    rules: [atLeastOneOf('name', 'url')],
    answer: ReleaseLinkJson,
    load: getRelease,
    authorize: mayWriteReleaseTag,
    async run(context) {
      const { db, input } = context
      const link = await getLink(context, context.loaded)
      const { name = link.name, url = link.url } = input
      const link_type = input.link_type || 'other'
      const filepath = input.direct_asset_path || input.filepath || link.filepath
      const changes = { name, url, link_type, filepath }
      check(changes)
      const changed = await withLinkConflictErrors(() => updateReleaseLink(db, link.id, changes))
      if (!changed) throw recordNotFound()
      return show(context, changed)
    },
  }),

  endpoint({
    route: `DELETE ${one}`,
    summary: 'Remove a link from a release',
    allow: mayWriteReleases,
    input: Type.Object(linkInput),
    answer: ReleaseLinkJson,
    load: getRelease,
    authorize: mayWriteReleaseTag,
    async run(context) {
      const link = await getLink(context, context.loaded)
      await deleteReleaseLink(context.db, link.id)
      return show(context, link)
    },
  }),
]
