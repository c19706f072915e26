// `release`: what a job publishes once it succeeds.
import {
  asDict,
  type Field,
  fieldOf,
  looseTextOf,
  readText,
  readTextOrTexts,
  refuse,
  withoutUndefined,
} from '../fields.ts'
import type { PlannedRelease } from '../planned.ts'
import { texts } from '../texts.ts'
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
  const dict = asDict(field, keys)
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
  const dict = field && asDict(field, ['links'])
  const links = dict && fieldOf(dict, 'links')
  if (!links) return dict && refuse(dict, texts.requiredKeys('links'))
  if (links.node.kind !== 'list') return refuse(links, texts.linksShape)
  return {
    links: links.node.items.flatMap((node) => {
      const link = asDict({ ...links, node, label: `${links.label}:link` }, linkKeys)
      if (!link) return []
      readText(link, 'name', { isRequired: true })
      readText(link, 'url', { isRequired: true })
      const members = [...link.node.entries].map(
        ([key, { value }]) => [key, looseTextOf(value) ?? ''] as const,
      )
      return [Object.fromEntries(members)]
    }),
  }
}
