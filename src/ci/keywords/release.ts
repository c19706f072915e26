// `release`: what a job publishes once it succeeds.

import { ciMessages } from '../ci-messages.ts'
import {
  type Field,
  fieldOf,
  readText,
  readTextOrTexts,
  reportFieldError,
  requireDict,
  scalarTextOf,
  withoutUndefined,
} from '../fields.ts'
import type { PlannedRelease } from '../planned.ts'
import type { Dict } from '../tree.ts'

const keys = [
  'tag_name',
  'tag_message',
  'name',
  'description',
  'ref',
  'milestones',
  'released_at',
  'assets',
]
const linkKeys = ['name', 'url', 'filepath', 'link_type']

export function readRelease(field: Field): PlannedRelease | undefined {
  const dict = requireDict(field, keys)
  if (!dict) return undefined
  return withoutUndefined({
    tag_name: readText(dict, 'tag_name', { isRequired: true }) ?? '',
    tag_message: readText(dict, 'tag_message'),
    name: readText(dict, 'name'),
    description: readText(dict, 'description', { isRequired: true }) ?? '',
    ref: readText(dict, 'ref'),
    milestones: readTextOrTexts(dict, 'milestones'),
    released_at: readText(dict, 'released_at'),
    assets: readAssets(dict),
  })
}

function readAssets(release: Field<Dict>): PlannedRelease['assets'] {
  const field = fieldOf(release, 'assets')
  const dict = field && requireDict(field, ['links'])
  const links = dict && fieldOf(dict, 'links')
  if (!links) return dict && reportFieldError(dict, ciMessages.requiredKeys('links'))
  if (links.node.kind !== 'list') return reportFieldError(links, ciMessages.linksShape)
  return {
    links: links.node.items.flatMap((node) => {
      const link = requireDict({ ...links, node, label: `${links.label}:link` }, linkKeys)
      if (!link) return []
      readText(link, 'name', { isRequired: true })
      readText(link, 'url', { isRequired: true })
      const members = [...link.node.entries].map(
        ([key, { value }]) => [key, scalarTextOf(value) ?? ''] as const,
      )
      return [Object.fromEntries(members)]
    }),
  }
}
