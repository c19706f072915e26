// Decides whether a job is part of a pipeline, and what its rules change.
import { isConditionMet } from './condition.ts'
import { parseDuration_s } from './durations.ts'
import type { EvaluationContext } from './evaluation-context.ts'
import type { JobConfig } from './job.ts'
import type { PlannedJob } from './planned.ts'
import { isAdmittedByOnlyAndExcept } from './policy.ts'
import type { CiRule } from './rule.ts'

export type JobDecision = {
  when: PlannedJob['when']
  start_in_s: number | undefined
  allow_failure: boolean
  /** The rule that matched, if any. */
  rule: CiRule | undefined
}

/** Returns when a job runs; undefined if its rules exclude it. */
export async function decideWhenJobRuns(
  job: JobConfig,
  context: EvaluationContext,
): Promise<JobDecision | undefined> {
  const isManual = job.when === 'manual'
  if (!job.rules) {
    if (!(await isAdmittedByOnlyAndExcept(job, context))) return undefined
    const allow_failure = job.allowFailure ?? isManual
    const when = job.when ?? 'on_success'
    return { when, start_in_s: secondsOf(job.startIn), allow_failure, rule: undefined }
  }
  const rule = await findMatchingRule(job.rules, context)
  const when = rule?.when ?? job.when ?? 'on_success'
  if (!rule || when === 'never') return undefined
  const allow_failure = rule.allowFailure ?? job.allowFailure ?? isManual
  return { when, start_in_s: secondsOf(rule.startIn), allow_failure, rule }
}

/** Returns the first rule that matches; undefined if no rule does. */
export async function findMatchingRule(
  rules: readonly CiRule[],
  context: EvaluationContext,
): Promise<CiRule | undefined> {
  for (const rule of rules) {
    await context.work.spend(1)
    if (await isRuleMatching(rule, context)) return rule
  }
  return undefined
}

/** Whether all conditions of a rule hold. A rule without conditions matches. */
export async function isRuleMatching(rule: CiRule, context: EvaluationContext): Promise<boolean> {
  if (rule.if && !isConditionMet(rule.if, context.values, context.work)) return false
  if (rule.changes && !(await context.hasChanged(rule.changes))) return false
  return !rule.exists || context.exists(rule.exists)
}

function secondsOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (parseDuration_s(text) ?? undefined)
}
