import { type Static, Type } from 'typebox'
import { namedObject, nullableInteger, optionalInteger } from '../../../http/schema.ts'
import type { OwningProjectOrGroup } from '../../../subjects/owner.ts'
import type { LabelCounts, ListedLabel } from './label.store.ts'
import { BasicLabelJson, presentBasicLabel } from './label.ts'

export const LabelJson = namedObject('Label', {
  ...BasicLabelJson.properties,
  open_issues_count: optionalInteger,
  closed_issues_count: optionalInteger,
  open_merge_requests_count: optionalInteger,
  subscribed: Type.Boolean(),
  priority: Type.Optional(nullableInteger),
  is_project_label: Type.Optional(Type.Boolean()),
})

/** Presents a label. `counts` is undefined unless requested (docs/api/labels.md, "Labels"). */
export function presentLabel(
  label: ListedLabel,
  { owner, counts }: { owner: OwningProjectOrGroup; counts: LabelCounts | undefined },
): Static<typeof LabelJson> {
  return {
    ...presentBasicLabel(label),
    ...(counts && {
      open_issues_count: counts.opened,
      closed_issues_count: counts.closed,
      open_merge_requests_count: counts.merge_requests,
    }),
    subscribed: label.subscribed,
    ...(owner.kind === 'project' && {
      priority: label.priority,
      is_project_label: label.project_id !== null,
    }),
  }
}
