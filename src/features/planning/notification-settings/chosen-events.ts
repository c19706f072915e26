// Which events a setting at the level `custom` has chosen (docs/api/notification-settings.md).
import { ownValue } from '../../../kernel/own-value.ts'

/** What is chosen until it is turned off, for it is about one's own pipelines. */
const initiallyOn: ReadonlySet<string> = new Set(['failed_pipeline', 'fixed_pipeline'])

export function isEventChosen(events: Readonly<Record<string, boolean>>, name: string): boolean {
  return ownValue(events, name) ?? initiallyOn.has(name)
}
