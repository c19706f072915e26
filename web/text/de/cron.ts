// A file of its own, since it is large and only schedules want it.
import { toString as describe } from 'cronstrue'
import 'cronstrue/locales/de.js'
import type * as english from '../cron.ts'
import { language } from './language.ts'

export const describeCron: typeof english.describeCron = (cron) => {
  const fields = cron.trim().split(/\s+/)
  // The server drops seconds (docs/api/ci.md, "Cron expressions").
  const minutes = fields.length === 6 ? fields.slice(1) : fields
  try {
    const options = { verbose: true, use24HourTimeFormat: true, locale: language }
    return describe(minutes.join(' '), options)
  } catch {
    return undefined
  }
}
