import { Type } from 'typebox'
import type { Rule } from '../../../access/rule.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import {
  type Context,
  type Endpoint,
  endpointFactory,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { nullable, optionalText, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid, recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { findVisibleProject } from '../../../subjects/project.ts'
import {
  BadgeJson,
  presentBadge,
  presentRenderedBadge,
  RenderedBadgeJson,
} from './badge.present.ts'
import {
  type Badge,
  deleteBadge,
  findBadgeOfOwnerOrAncestors,
  findOldestVisibleProjectId,
  findOwnBadge,
  hasBadgesAtLeast,
  insertBadge,
  listBadges,
  updateBadge,
} from './badge.store.ts'
import {
  type BadgeOwner,
  groupBadgeOwnerLoader,
  mayRenderBadges,
  mayWriteBadges,
  projectBadgeOwnerLoader,
} from './badge-owner.ts'
import {
  type BadgePlaceholders,
  badgePlaceholdersOfProject,
  badgeUrlProblems,
} from './badge-urls.ts'

const readBadges: Rule<BadgeOwner> = () => true

const badgeIdInput = { badge_id: Type.Integer() }
const optionalName = Type.Optional(nullable(Type.String()))
const urlsInput = { link_url: Type.String(), image_url: Type.String(), name: optionalName }

type BadgeContext<Input> = Context<BadgeOwner, Input>

/**
 * Returns the values for the project, or for the first project of the group that the caller can see (docs/api/badges.md,
 * "Placeholders").
 */
async function placeholdersFor(context: BadgeContext<unknown>): Promise<BadgePlaceholders> {
  const { db, actor, config, subject: owner } = context
  if (owner.kind === 'project') return badgePlaceholdersOfProject(config, { ...owner, actor })
  const id = await findOldestVisibleProjectId(db, actor, owner.id)
  const found = id === undefined ? undefined : await findVisibleProject(db, actor, { id })
  return found ? badgePlaceholdersOfProject(config, { ...found, actor }) : {}
}

/** Throws 400 with the problems of the URLs and the name. */
function check({ name, ...urls }: { link_url: string; image_url: string; name?: string | null }) {
  const problems = badgeUrlProblems(urls)
  const maximum = limits.name_characters
  if (name && [...name].length > maximum) {
    problems.name = [`is too long (maximum is ${maximum} characters)`]
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

async function getOwnBadge({ db, subject, input }: BadgeContext<{ badge_id: number }>) {
  const badge = await findOwnBadge(db, subject, input.badge_id)
  if (!badge) throw recordNotFound()
  return badge
}

async function show(context: BadgeContext<unknown>, badge: Badge) {
  return presentBadge(badge, await placeholdersFor(context))
}

/** Returns the endpoints for badges of projects or groups, which differ only in the owner. */
function endpointsOf(
  base: '/projects/:id/badges' | '/groups/:id/badges',
  on: SubjectLoader<BadgeOwner>,
): readonly Endpoint[] {
  const endpoint = endpointFactory({ tag: 'Badges', on })
  const whose = base.startsWith('/projects') ? 'a project' : 'a group'
  return [
    endpoint({
      route: `GET ${base}`,
      summary: `List the badges of ${whose}`,
      allow: readBadges,
      input: Type.Object({ ...pageInput, name: optionalText }),
      answer: Type.Array(BadgeJson),
      async run(context) {
        const { db, subject: owner, range, input } = context
        const { rows, total } = await listBadges(db, owner, { ...range, name: input.name })
        const placeholders = rows.length === 0 ? {} : await placeholdersFor(context)
        return new Page({ items: rows.map((badge) => presentBadge(badge, placeholders)), total })
      },
    }),

    endpoint({
      route: `GET ${base}/render`,
      summary: `Preview a badge of ${whose}`,
      signIn: 'always',
      allow: mayRenderBadges,
      input: Type.Object(urlsInput),
      answer: RenderedBadgeJson,
      async run(context) {
        const { input } = context
        check(input)
        return presentRenderedBadge(
          { ...input, name: input.name ?? null },
          await placeholdersFor(context),
        )
      },
    }),

    endpoint({
      route: `GET ${base}/:badge_id(^\\d+$)`,
      summary: `Get a badge of ${whose}`,
      allow: readBadges,
      input: Type.Object(badgeIdInput),
      answer: BadgeJson,
      async run(context) {
        const { db, subject, input } = context
        const badge = await findBadgeOfOwnerOrAncestors(db, subject, input.badge_id)
        if (!badge) throw recordNotFound()
        return show(context, badge)
      },
    }),

    endpoint({
      route: `POST ${base}`,
      summary: `Add a badge to ${whose}`,
      signIn: 'always',
      allow: mayWriteBadges,
      input: Type.Object(urlsInput),
      status: 201,
      answer: BadgeJson,
      async run(context) {
        const { db, clock, subject: owner, input } = context
        check(input)
        const maximum = limits.badges_max
        await lockOwner(db, owner)
        if (await hasBadgesAtLeast(db, owner, maximum)) {
          throw invalid({ base: [`Maximum number of badges (${maximum}) exceeded`] })
        }
        const now = timestamp(clock)
        const { link_url, image_url, name = null } = input
        const times = { created_at: now, updated_at: now }
        return show(context, await insertBadge(db, owner, { name, link_url, image_url, ...times }))
      },
    }),

    endpoint({
      route: `PUT ${base}/:badge_id(^\\d+$)`,
      summary: `Change a badge of ${whose}`,
      signIn: 'always',
      allow: mayWriteBadges,
      input: Type.Object({
        ...badgeIdInput,
        link_url: optionalText,
        image_url: optionalText,
        name: optionalName,
      }),
      answer: BadgeJson,
      async run(context) {
        const { db, clock, input } = context
        const badge = await getOwnBadge(context)
        const { link_url = badge.link_url, image_url = badge.image_url, name = badge.name } = input
        const changes = { link_url, image_url, name }
        check(changes)
        const updated_at = timestamp(clock)
        return show(context, await updateBadge(db, badge.id, { ...changes, updated_at }))
      },
    }),

    endpoint({
      route: `DELETE ${base}/:badge_id(^\\d+$)`,
      summary: `Remove a badge from ${whose}`,
      signIn: 'always',
      allow: mayWriteBadges,
      input: Type.Object(badgeIdInput),
      status: 204,
      async run(context) {
        const badge = await getOwnBadge(context)
        checkIfUnmodifiedSince(context.request, badge.updated_at)
        await deleteBadge(context.db, badge.id)
      },
    }),
  ]
}

export const badgeEndpoints: readonly Endpoint[] = [
  ...endpointsOf('/projects/:id/badges', projectBadgeOwnerLoader),
  ...endpointsOf('/groups/:id/badges', groupBadgeOwnerLoader),
]
