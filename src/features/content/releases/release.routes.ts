import { Type } from 'typebox'
import { runTransaction } from '../../../db/run-transaction.ts'
import { Answer } from '../../../http/answer.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { mutuallyExclusive } from '../../../http/parameters.ts'
import { redirectLocationOf } from '../../../http/redirect.ts'
import {
  dateTime,
  nullable,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { forbidden, invalid, notFound } from '../../../kernel/errors.ts'
import { type Group, groupLoader } from '../../../subjects/group.ts'
import { type Project, projectLoader, projectRepository } from '../../../subjects/project.ts'
import { renderMarkdownTextsWithLinks } from '../../planning/markdown/render-html.ts'
import { createRelease } from './create-release.ts'
import {
  mayReadReleasedCode,
  mayReadReleases,
  mayRemoveReleases,
  mayWriteReleases,
  mayWriteReleaseTag,
} from './release.policy.ts'
import { presentSimpleRelease, ReleaseJson, SimpleReleaseJson } from './release.present.ts'
import {
  deleteRelease,
  listGroupReleases,
  listReleases,
  replaceReleaseMilestones,
  updateRelease,
} from './release.store.ts'
import { findLatestRelease, findRelease, findReleaseDownloadUrl, type Release } from './release.ts'
import { releaseChangedEffect } from './release-changed.ts'
import { findRequestedMilestoneIds, validateReleaseTexts } from './release-fields.ts'
import { releaseLinkTypes } from './release-link.ts'
import { loadReleaseProjects, showRelease, showReleases } from './show-releases.ts'

const endpoint = endpointFactory({ tag: 'Releases', on: projectLoader, jobToken: 'free' })

const tagInput = { tag_name: Type.String({ description: 'URL-encoded name of the tag.' }) }
const optionalTime = Type.Optional(dateTime())
const directions = ['asc', 'desc'] as const
const milestonesInput = {
  milestones: Type.Optional(nullable(Type.Array(Type.String()))),
  milestone_ids: Type.Optional(nullable(Type.Array(Type.Integer()))),
}
const htmlInput = { include_html_description: optionalBoolean }

/** Returns the records, on request with their descriptions as HTML. */
async function withHtml<Shown extends { description: string | null }>(
  context: Pick<
    Context<Project, { include_html_description?: boolean }>,
    'db' | 'git' | 'config' | 'actor' | 'baseUrl' | 'input' | 'subject'
  >,
  items: readonly Shown[],
) {
  const { subject: project, input } = context
  if (input.include_html_description !== true) return items
  const texts = items.map(({ description }) => description ?? '')
  const html = await renderMarkdownTextsWithLinks(context, { texts, project })
  return items.map((item, at) => ({ ...item, description_html: html[at] ?? '' }))
}

const newInput = Type.Object({
  ...tagInput,
  tag_message: optionalText,
  name: optionalText,
  description: optionalText,
  ref: Type.Optional(Type.String({ description: 'What the tag is made of if there is none.' })),
  assets: Type.Optional(
    Type.Object({
      links: Type.Optional(
        Type.Array(
          Type.Object({
            name: Type.String(),
            url: Type.String(),
            filepath: optionalText,
            direct_asset_path: optionalText,
            link_type: Type.Optional(oneOf([...releaseLinkTypes, ''], { default: 'other' })),
          }),
        ),
      ),
    }),
  ),
  ...milestonesInput,
  released_at: optionalTime,
})

type ReleaseContext<Input> = Context<Project, Input>

async function getRelease({
  db,
  subject,
  input,
}: ReleaseContext<{ tag_name: string }>): Promise<Release> {
  const release = await findRelease(db, subject.id, input.tag_name)
  if (!release) throw notFound()
  return release
}

/** Throws 403 for a change or deletion of a missing release. */
function refuseMissing<T>(release: T | undefined): T {
  if (release === undefined) throw forbidden()
  return release
}

async function loadOwnRelease(context: ReleaseContext<{ tag_name: string }>): Promise<Release> {
  return refuseMissing(await findRelease(context.db, context.subject.id, context.input.tag_name))
}

function show(context: ReleaseContext<unknown>, release: Release) {
  return showRelease(context, release, { project: context.subject, level: context.level })
}

/** Redirects to the same path of the newest release. */
async function toLatest(context: ReleaseContext<unknown>, suffix_path = ''): Promise<Answer> {
  const { db, clock, subject: project, request } = context
  const latest = await findLatestRelease(db, { project_id: project.id, now: timestamp(clock) })
  if (!latest) throw notFound()
  const suffix = suffix_path.split('/').map(encodeURIComponent).join('/')
  const query = new URLSearchParams(
    Object.entries(request.query).flatMap(([name, value]) =>
      name === 'order_by' || typeof value !== 'string' ? [] : [[name, value]],
    ),
  ).toString()
  const tag = encodeURIComponent(latest.tag)
  const path = `/api/v4/projects/${project.id}/releases/${tag}${suffix && `/${suffix}`}`
  return Answer.empty(302, {
    location: redirectLocationOf({ place: `${path}${query && `?${query}`}` }),
  })
}

const moved = { 302: undefined }

export const releaseEndpoints = [
  endpoint({
    route: 'GET /projects/:id/releases',
    summary: 'List the releases of a project',
    allow: mayReadReleases,
    input: Type.Object({
      ...pageInput,
      order_by: Type.Optional(oneOf(['released_at', 'created_at'], { default: 'released_at' })),
      sort: Type.Optional(oneOf(directions, { default: 'desc' })),
      ...htmlInput,
      updated_before: optionalTime,
      updated_after: optionalTime,
    }),
    answer: Type.Array(ReleaseJson),
    async run(context) {
      const { db, subject: project, level, input, range } = context
      const { rows, total } = await listReleases(db, project.id, { ...input, ...range })
      const places = new Map([[project.id, { project, level }]])
      const items = await showReleases(context, rows, places)
      return new Page({ items: await withHtml(context, items), total })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/releases/permalink/latest',
    summary: 'Redirect to the latest release',
    allow: mayReadReleasedCode,
    otherAnswers: moved,
    run: (context) => toLatest(context),
  }),

  endpoint({
    route: 'GET /projects/:id/releases/permalink/latest/:suffix_path',
    summary: 'Redirect to a file of the latest release',
    allow: mayReadReleasedCode,
    slashed: ['suffix_path'],
    input: Type.Object({ suffix_path: Type.String() }),
    otherAnswers: moved,
    run: (context) => toLatest(context, context.input.suffix_path),
  }),

  endpoint({
    route: 'GET /projects/:id/releases/:tag_name',
    summary: 'Get the release of a tag',
    allow: mayReadReleasedCode,
    input: Type.Object({ ...tagInput, ...htmlInput }),
    answer: ReleaseJson,
    async run(context) {
      const shown = await show(context, await getRelease(context))
      return (await withHtml(context, [shown]))[0]
    },
  }),

  endpoint({
    route: 'GET /projects/:id/releases/:tag_name/downloads/:direct_asset_path',
    summary: 'Redirect to a file of a release',
    allow: mayReadReleasedCode,
    slashed: ['direct_asset_path'],
    input: Type.Object({ ...tagInput, direct_asset_path: Type.String() }),
    otherAnswers: moved,
    async run(context) {
      const release = await getRelease(context)
      const path = `/${context.input.direct_asset_path}`
      const url = await findReleaseDownloadUrl(context.db, release, path)
      if (url === undefined) throw notFound()
      return Answer.empty(302, { location: redirectLocationOf({ elsewhere: url }) })
    },
  }),

  endpoint({
    route: 'POST /projects/:id/releases',
    summary: 'Create a release, and its tag if needed',
    allow: mayWriteReleases,
    transaction: 'none',
    input: newInput,
    rules: [mutuallyExclusive('milestones', 'milestone_ids')],
    status: 201,
    answer: ReleaseJson,
    async run(context) {
      const { subject: project, level, user } = context
      const { assets, ...input } = context.input
      const links = (assets?.links ?? []).map(({ name, url, link_type, ...paths }) => ({
        name,
        url,
        link_type: link_type || ('other' as const),
        filepath: paths.direct_asset_path || paths.filepath || null,
      }))
      const wanted = { ...input, links }
      return show(context, await createRelease(context, { project, level, user }, wanted))
    },
  }),

  endpoint({
    route: 'PUT /projects/:id/releases/:tag_name',
    summary: 'Change a release',
    allow: mayWriteReleases,
    transaction: 'none',
    input: Type.Object({
      ...tagInput,
      name: optionalText,
      description: optionalText,
      released_at: optionalTime,
      ...milestonesInput,
    }),
    rules: [mutuallyExclusive('milestones', 'milestone_ids')],
    answer: ReleaseJson,
    load: loadOwnRelease,
    authorize: mayWriteReleaseTag,
    async run(context) {
      const { subject: project, db, loaded: release } = context
      const { tag_name: _, milestones, milestone_ids, ...fields } = context.input
      const milestoneIds = await findRequestedMilestoneIds(db, project, {
        milestones,
        milestone_ids,
      })
      if (Object.keys(fields).length === 0 && !milestoneIds) throw invalid('params is empty')
      validateReleaseTexts(fields)
      // The response reads the repository. If it is on another server, the request is forwarded there before
      // anything changes.
      projectRepository(context.config, project)
      return show(context, await change(context, { release, fields, milestoneIds }))
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id/releases/:tag_name',
    summary: 'Delete a release, but not its tag',
    allow: mayRemoveReleases,
    transaction: 'none',
    input: Type.Object(tagInput),
    answer: ReleaseJson,
    load: loadOwnRelease,
    authorize: mayWriteReleaseTag,
    async run(context) {
      const { db, clock, subject: project, user, request, loaded: release } = context
      checkIfUnmodifiedSince(request, release.updated_at)
      const shown = await show(context, release)
      await runTransaction(db, async (tx) => {
        const of = { project_id: project.id, release_id: release.id, user_id: user.id }
        await releaseChangedEffect.run({ tx, clock, ...of, action: 'delete' })
        refuseMissing((await deleteRelease(tx, release.id)) || undefined)
      })
      return shown
    },
  }),

  endpointFactory<Group>({ tag: 'Releases', on: groupLoader })({
    route: 'GET /groups/:id/releases',
    summary: 'List the releases of the projects of a group',
    allow: () => true,
    input: Type.Object({
      ...pageInput,
      sort: Type.Optional(oneOf(directions, { default: 'desc' })),
      simple: optionalBoolean,
    }),
    answer: Type.Array(Type.Union([ReleaseJson, SimpleReleaseJson])),
    async run(context) {
      const { db, actor, subject: group, input, range, clock } = context
      const of = { actor, group_id: group.id, sort: input.sort }
      const { rows, total } = await listGroupReleases(db, of, range)
      const places = await loadReleaseProjects(context, rows)
      const isRead = ({ project_id }: Release) => {
        const place = places.get(project_id)
        return place && mayReadReleasedCode({ subject: place.project, level: place.level, actor })
      }
      const shown = await showReleases(context, rows, places)
      const items = rows.map((release, at) =>
        input.simple && isRead(release)
          ? presentSimpleRelease(release, timestamp(clock))
          : shown[at],
      )
      return new Page({ items, total })
    },
  }),
]

/** Saves the changes. Throws 403 if the release was deleted in the meantime. */
async function change(
  { db, clock, subject: project, user }: ReleaseContext<unknown>,
  {
    release,
    fields,
    milestoneIds,
  }: {
    release: Release
    fields: { name?: string; description?: string; released_at?: string }
    milestoneIds: number[] | undefined
  },
): Promise<Release> {
  return runTransaction(db, async (tx) => {
    const changes = { ...fields, updated_at: timestamp(clock) }
    const changed = refuseMissing(await updateRelease(tx, release.id, changes))
    if (milestoneIds) await replaceReleaseMilestones(tx, release.id, milestoneIds)
    const of = { project_id: project.id, release_id: release.id, user_id: user.id }
    await releaseChangedEffect.run({ tx, clock, ...of, action: 'update' })
    return changed
  })
}
