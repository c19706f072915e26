// Jobs that run in several copies become those copies, and what names such a job names them.

import type { JobConfig } from './job.ts'
import type { Need } from './keywords/needs.ts'
import { type Copy, copiesOf } from './keywords/parallel.ts'
import { mergeVariables } from './keywords/variables.ts'
import type { PlannedNeed } from './planned.ts'
import type { Work } from './work.ts'

/** One job of the pipeline to be, if its rules have it so. */
export type Instance = {
  name: string
  job: JobConfig
  copy: Copy | undefined
  /** Undefined where it waits for stages. */
  needs: PlannedNeed[] | undefined
  dependencies: string[] | undefined
}

/** Every job in as many copies as it asks for. */
export async function instancesOf(jobs: readonly JobConfig[], work: Work): Promise<Instance[]> {
  const copies = new Map<string, Copy[]>()
  for (const { name, parallel } of jobs) if (parallel) copies.set(name, copiesOf(name, parallel))
  const instances: Instance[] = []
  for (const job of jobs) {
    await work.spend(1)
    const needs = job.needs && expandNeeds(job.needs.jobs, copies, work)
    const dependencies = job.options.dependencies?.flatMap(
      (name) => copies.get(name)?.map((copy) => copy.name) ?? name,
    )
    work.count(dependencies?.length ?? 0)
    for (const copy of copies.get(job.name) ?? [undefined]) {
      const withCopy = copy ? { ...job, variables: variablesOf(job, copy) } : job
      instances.push({ name: copy?.name ?? job.name, job: withCopy, copy, needs, dependencies })
    }
  }
  return instances
}

function variablesOf(job: JobConfig, { values }: Copy): JobConfig['variables'] {
  const own = Object.entries(values).map(([key, value]) => ({ key, value }))
  return mergeVariables(job.variables, own)
}

/** The jobs that needs mean, of copies those with the values that are given, or all. */
export function expandNeeds(
  needs: readonly Need[],
  copies: ReadonlyMap<string, readonly Copy[]>,
  work: Work,
): PlannedNeed[] {
  return needs.flatMap(({ name, artifacts, optional, rows }) => {
    const all = copies.get(name)
    if (!all) return { name, artifacts, optional }
    const meant = rows ? all.filter(({ values }) => rows.some((row) => isRow(values, row))) : all
    work.count(all.length * (rows?.length ?? 1))
    if (rows && meant.length === 0) return { name, artifacts, optional }
    return meant.map((copy) => ({ name: copy.name, artifacts, optional }))
  })
}

function isRow(values: Record<string, string>, row: Record<string, string>): boolean {
  return copyName(values) === copyName(row)
}

function copyName(values: Record<string, string>): string {
  return JSON.stringify(Object.entries(values).sort())
}
