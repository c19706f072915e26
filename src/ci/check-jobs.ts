// Checks references between jobs: stages, needs, dependencies, and the job that stops an environment.

import { ciMessages } from './ci-messages.ts'
import type { DiagnosticCollector } from './diagnostic-collector.ts'
import type { JobConfig } from './job.ts'
import type { JobInstance } from './job-instances.ts'
import type { StepBudget } from './step-budget.ts'

/** Reports jobs that name a missing stage, a missing job, or a job of a later stage. */
export async function checkJobs(
  { jobs, instances, stages }: { jobs: JobConfig[]; instances: JobInstance[]; stages: string[] },
  problems: DiagnosticCollector,
  work: StepBudget,
): Promise<void> {
  const order = new Map(stages.map((stage, at) => [stage, at]))
  const available = stages.join(', ')
  for (const { name, stage, at } of jobs) {
    if (!order.has(stage)) problems.error(ciMessages.stageUnknown(name, available), at)
  }
  const stageAt = new Map<string, number>()
  for (const { name, job } of instances) stageAt.set(name, order.get(job.stage) ?? -1)
  const check = new References(stageAt, problems)
  const checked = new Set<string>()
  for (const instance of instances) {
    await work.spend(1 + (instance.needs?.length ?? 0) + (instance.dependencies?.length ?? 0))
    // The copies of a parallel job have the same definition, so each job is checked once.
    if (checked.has(instance.job.name)) continue
    checked.add(instance.job.name)
    check.needs(instance)
    check.dependencies(instance)
  }
  if (!problems.hasErrors) checkCircles(instances, problems)
  const byName = new Map(jobs.map((job) => [job.name, job]))
  for (const job of jobs) checkStop(job, byName, problems)
}

class References {
  readonly #stageAt: ReadonlyMap<string, number>
  readonly #problems: DiagnosticCollector

  constructor(stageAt: ReadonlyMap<string, number>, problems: DiagnosticCollector) {
    this.#stageAt = stageAt
    this.#problems = problems
  }

  needs({ name, job, needs = [] }: JobInstance): void {
    const seen = new Set<string>()
    const twice = new Set<string>()
    for (const need of needs) {
      if (seen.has(need.name)) twice.add(need.name)
      seen.add(need.name)
    }
    if (twice.size > 0) {
      this.#problems.error(ciMessages.needsDuplicated(job.name, [...twice].join(', ')), job.at)
    }
    for (const need of needs) {
      if (!need.optional || this.#stageAt.has(need.name)) this.#check(name, job, need.name, 'need')
    }
  }

  dependencies({ name, job, dependencies = [] }: JobInstance): void {
    for (const dependency of dependencies) this.#check(name, job, dependency, 'dependency')
    const trigger = job.options.trigger
    if (!trigger || !('include' in trigger)) return
    for (const file of trigger.include) {
      if (file.kind === 'artifact') this.#check(name, job, file.job, 'dependency')
    }
  }

  #check(name: string, job: JobConfig, other: string, kind: 'need' | 'dependency'): void {
    const otherAt = this.#stageAt.get(other)
    const ownAt = this.#stageAt.get(name) ?? -1
    if (otherAt === undefined) {
      this.#problems.error(ciMessages.dependencyUndefined(job.name, other, kind), job.at)
    } else if (otherAt > ownAt) {
      this.#problems.error(ciMessages.dependencyLater(job.name, other, kind), job.at)
    }
  }
}

/** Reports circular needs: jobs that can never start because each waits for another one. */
function checkCircles(instances: readonly JobInstance[], problems: DiagnosticCollector): void {
  const waiting = new Map<string, number>()
  const after = new Map<string, string[]>()
  for (const { name } of instances) after.set(name, [])
  for (const { name, needs = [] } of instances) {
    const known = needs.filter((need) => after.has(need.name))
    waiting.set(name, known.length)
    for (const need of known) after.get(need.name)?.push(name)
  }
  const ready = [...waiting].filter(([, count]) => count === 0).map(([name]) => name)
  for (const name of ready) {
    for (const next of after.get(name) ?? []) {
      const left = (waiting.get(next) ?? 0) - 1
      waiting.set(next, left)
      if (left === 0) ready.push(next)
    }
    waiting.delete(name)
  }
  const [circular] = waiting.keys()
  if (circular === undefined) return
  const at = instances.find(({ name }) => name === circular)?.job.at
  problems.error(ciMessages.needsCircular, at)
}

function checkStop(
  { name, options, at }: JobConfig,
  jobs: ReadonlyMap<string, JobConfig>,
  problems: DiagnosticCollector,
): void {
  const environment = options.environment
  const stop = environment?.on_stop
  if (!environment || stop === undefined) return
  const other = jobs.get(stop)
  const there = other?.options.environment
  if (!other) problems.error(ciMessages.onStopUndefined(name, stop), at)
  else if (!there) problems.error(ciMessages.onStopWithoutEnvironment(name, stop), at)
  else if (there.name !== environment.name) {
    problems.error(ciMessages.onStopOtherEnvironment(name, stop), at)
  } else if (there.action !== 'stop') problems.error(ciMessages.onStopWithoutAction(name, stop), at)
}
