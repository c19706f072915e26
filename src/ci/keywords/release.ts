// `release`: what a job publishes once it succeeds.

import { ciMessages } from '../ci-messages.ts'
import {
  type ConfigurationField,
  childField,
  readTextField,
  readTextOrTextListField,
  reportFieldError,
  requireDictField,
  scalarTextOfNode,
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

export function readReleaseKeyword(field: ConfigurationField): PlannedRelease | undefined {
  const dict = requireDictField(field, keys)
  if (!dict) return undefined
  return withoutUndefined({
    tag_name: readTextField(dict, 'tag_name', { isRequired: true }) ?? '',
    tag_message: readTextField(dict, 'tag_message'),
    name: readTextField(dict, 'name'),
    description: readTextField(dict, 'description', { isRequired: true }) ?? '',
    ref: readTextField(dict, 'ref'),
    milestones: readTextOrTextListField(dict, 'milestones'),
    released_at: readTextField(dict, 'released_at'),
    assets: readAssets(dict),
  })
}

function readAssets(release: ConfigurationField<Dict>): PlannedRelease['assets'] {
  const field = childField(release, 'assets')
  const dict = field && requireDictField(field, ['links'])
  const links = dict && childField(dict, 'links')
  if (!links) return dict && reportFieldError(dict, ciMessages.requiredKeys('links'))
  if (links.node.kind !== 'list') return reportFieldError(links, ciMessages.linksShape)
  return {
    links: links.node.items.flatMap((node) => {
      const link = requireDictField({ ...links, node, label: `${links.label}:link` }, linkKeys)
      if (!link) return []
      readTextField(link, 'name', { isRequired: true })
      readTextField(link, 'url', { isRequired: true })
      const members = [...link.node.entries].map(
        ([key, { value }]) => [key, scalarTextOfNode(value) ?? ''] as const,
      )
      return [Object.fromEntries(members)]
    }),
  }
}
