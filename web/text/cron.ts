// A file of its own, since it is large and only schedules want it.
import { toString as describe } from 'cronstrue'

/**
 * Describes a schedule in words: "At 03:00, every day". Returns undefined for one that cannot be described, such as
 * `fri#l`.
 */
export function describeCron(cron: string): string | undefined {
  const fields = cron.trim().split(/\s+/)
  // The server drops seconds (docs/api/ci.md, "Cron expressions").
  const minutes = fields.length === 6 ? fields.slice(1) : fields
  try {
    return describe(minutes.join(' '), { verbose: true, use24HourTimeFormat: true })
  } catch {
    return undefined
  }
}
