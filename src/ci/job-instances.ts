// Expands parallel jobs to their copies, and references to such jobs.

import { limits } from '../kernel/limits.ts'
import { ownValue } from '../kernel/own-value.ts'
import { ciMessages } from './ci-messages.ts'
import { ConfigurationError } from './diagnostic-collector.ts'
import type { JobConfig } from './job.ts'
import type { ConfiguredNeed } from './keywords/needs.ts'
import {
  expandParallelCopies,
  type ParallelConfig,
  type ParallelCopy,
} from './keywords/parallel.ts'
import { mergeVariables } from './keywords/variables.ts'
import type { PlannedNeed } from './planned.ts'
import type { StepBudget } from './step-budget.ts'

/** A job of the pipeline that is being planned; whether it becomes part of the pipeline depends on its rules. */
export type JobInstance = {
  name: string
  job: JobConfig
  copy: ParallelCopy | undefined
  /** Undefined if the job waits for earlier stages instead. */
  needs: PlannedNeed[] | undefined
  dependencies: string[] | undefined
}

/** Returns all jobs, with one instance for each parallel copy. Throws ConfigurationError if there are too many. */
export async function expandJobInstances(
  jobs: readonly JobConfig[],
  work: StepBudget,
): Promise<JobInstance[]> {
  const copies = parallelCopiesByJobName(jobs)
  const instances: JobInstance[] = []
  for (const job of jobs) {
    const dependencies = job.options.dependencies?.flatMap(
      (name) => copies.get(name)?.map((copy) => copy.name) ?? name,
    )
    const needs = job.needs && expandNeeds(job.needs.jobs, { copies, copy: undefined, work })
    const isOwn = job.needs?.jobs.some(({ rows }) => rows) ?? false
    for (const copy of copies.get(job.name) ?? [undefined]) {
      await work.spend(2 + (dependencies?.length ?? 0))
      if (!copy) instances.push({ name: job.name, job, copy, needs, dependencies })
      else {
        const own = isOwn && job.needs && expandNeeds(job.needs.jobs, { copies, copy, work })
        const filled = { ...job, variables: variablesOf(job, copy) }
        instances.push({ name: copy.name, job: filled, copy, needs: own || needs, dependencies })
      }
    }
  }
  return instances
}

/** Returns the parallel copies of each job that has any, by the name of the job. */
export function parallelCopiesByJobName(jobs: readonly JobConfig[]): Map<string, ParallelCopy[]> {
  const sizes = jobs.map(({ parallel }) => (parallel ? sizeOf(parallel) : 1))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total > limits.ci.configured_jobs_max) throw new ConfigurationError(ciMessages.tooManyJobs)
  const copies = new Map<string, ParallelCopy[]>()
  for (const { name, parallel } of jobs)
    if (parallel) copies.set(name, expandParallelCopies(name, parallel))
  return copies
}

function sizeOf(parallel: ParallelConfig): number {
  return parallel.kind === 'count' ? parallel.total : parallel.rows.length
}

function variablesOf(job: JobConfig, { values }: ParallelCopy): JobConfig['variables'] {
  const own = Object.entries(values).map(([key, value]) => ({ key, value }))
  return mergeVariables(job.variables, own)
}

type Copies = {
  /** The copies of each parallel job. */
  copies: ReadonlyMap<string, readonly ParallelCopy[]>
  /** The copy of the job that has the needs, if that job is parallel. */
  copy: ParallelCopy | undefined
  work: StepBudget
}

/**
 * Returns what the instances of a job need: of a needed job with parallel copies those whose values are given, or all
 * copies.
 */
export function expandNeeds(
  needs: readonly ConfiguredNeed[],
  { copies, copy, work }: Copies,
): PlannedNeed[] {
  return needs.flatMap(({ name, artifacts, optional, rows }) => {
    const all = copies.get(name)
    if (!all) return { name, artifacts, optional }
    work.count(all.length)
    const wanted = rows && new Set(rows.map((row) => namesOf(fillRow(row, copy?.values ?? {}))))
    const meant = wanted ? all.filter(({ values }) => wanted.has(namesOf(values))) : all
    if (meant.length === 0) return { name, artifacts, optional }
    return meant.map((one) => ({ name: one.name, artifacts, optional }))
  })
}

/** Replaces `$[[ matrix.NAME ]]` by the value of the copy that has the need. */
function fillRow(
  row: Record<string, string>,
  values: Record<string, string>,
): Record<string, string> {
  const filled = Object.entries(row).map(([key, text]) => [
    key,
    text.replace(/\$\[\[ *matrix\.(\w+) *\]\]/g, (_, name: string) => ownValue(values, name) ?? ''),
  ])
  return Object.fromEntries(filled)
}

/** Returns the same key for equal values, whatever their order. */
function namesOf(values: Record<string, string>): string {
  return JSON.stringify(Object.entries(values).sort())
}
