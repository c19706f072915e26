// What the report of vulnerabilities is filtered by; the address has it, in the words of links that people bring along.
import { security } from '../../../text/security.ts'

const needsAttention = ['detected', 'confirmed'] as const
const states = Object.keys(security.states)
const severities = security.severityList.map(([severity]) => severity as string)

type State = 'detected' | 'confirmed' | 'dismissed' | 'resolved'
type Severity = (typeof security.severityList)[number][0]
type ReportType = 'sast'

const listOf = (text: string | null): string[] =>
  (text ?? '').toLowerCase().split(',').filter(Boolean)

/** The values of a filter that are known, in small letters; `STATE=DETECTED,CONFIRMED` is understood. */
export function filterValuesOf(url: URL, name: string): string[] {
  return listOf(url.searchParams.get(name))
}

/** What list and summary ask alike. Without a state in the address, vulnerabilities that need attention. */
export function vulnerabilityFilterOf(url: URL) {
  const asked = filterValuesOf(url, 'state')
  const isAll = asked.includes('all')
  const known = asked.filter((state) => states.includes(state))
  const state = (known.length > 0 ? known : isAll ? [] : needsAttention) as State[]
  const tools = filterValuesOf(url, 'tool').filter(
    (tool) => tool in security.reportTypes,
  ) as ReportType[]
  const [activity] = filterValuesOf(url, 'activity')
  return {
    ...(state.length > 0 ? { state } : {}),
    ...(tools.length > 0 ? { report_type: tools } : {}),
    ...(activity === 'gone' ? { resolved_on_default_branch: true } : {}),
    ...(activity === 'detected' ? { resolved_on_default_branch: false } : {}),
  }
}

export function vulnerabilityListInputOf(url: URL) {
  const severity = filterValuesOf(url, 'severity').filter((one) =>
    severities.includes(one),
  ) as Severity[]
  return {
    ...vulnerabilityFilterOf(url),
    ...(severity.length > 0 ? { severity } : {}),
    order_by: 'severity' as const,
    per_page: 20,
    page: Number(url.searchParams.get('page') ?? 1),
  }
}

/** Whether the address asks for less than every vulnerability that needs attention. */
export function hasActiveReportFilter(url: URL): boolean {
  return ['state', 'severity', 'tool', 'activity'].some((name) => url.searchParams.has(name))
}
