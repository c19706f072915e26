// Which events a setting at the level `custom` has chosen (docs/api/notification-settings.md).
import { ownValue } from '../../../kernel/own-value.ts'

/** Events that are enabled by default, since they are about the user's own pipelines. */
const initiallyOn: ReadonlySet<string> = new Set(['failed_pipeline', 'fixed_pipeline'])

export function isEventChosen(events: Readonly<Record<string, boolean>>, name: string): boolean {
  return ownValue(events, name) ?? initiallyOn.has(name)
}
