import { type Static, Type } from 'typebox'
import { namedObject, nullableText, oneOf } from '../../../http/schema.ts'
import type { Badge } from './badge.store.ts'
import { type BadgePlaceholders, fillBadgePlaceholders } from './badge-urls.ts'

const shown = {
  name: nullableText,
  link_url: Type.String(),
  image_url: Type.String(),
  rendered_link_url: Type.String(),
  rendered_image_url: Type.String(),
}

/** A preview of a badge that does not exist yet. */
export const RenderedBadgeJson = namedObject('RenderedBadge', shown)
export const BadgeJson = namedObject('Badge', {
  ...shown,
  id: Type.Integer(),
  kind: oneOf(['project', 'group']),
})

/**
 * Presents a badge with its placeholders filled in. They are filled in at each request, so a rename does not change stored
 * badges.
 */
export function presentRenderedBadge(
  { name, link_url, image_url }: Pick<Badge, 'name' | 'link_url' | 'image_url'>,
  placeholders: BadgePlaceholders,
): Static<typeof RenderedBadgeJson> {
  return {
    name,
    link_url,
    image_url,
    rendered_link_url: fillBadgePlaceholders(link_url, placeholders),
    rendered_image_url: fillBadgePlaceholders(image_url, placeholders),
  }
}

export function presentBadge(
  badge: Badge,
  placeholders: BadgePlaceholders,
): Static<typeof BadgeJson> {
  const kind = badge.project_id === null ? ('group' as const) : ('project' as const)
  return { ...presentRenderedBadge(badge, placeholders), id: badge.id, kind }
}
