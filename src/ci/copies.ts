// Jobs that run in several copies become those copies, and what names such a job names them.

import { ownValue } from '../kernel/own-value.ts'
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
    const dependencies = job.options.dependencies?.flatMap(
      (name) => copies.get(name)?.map((copy) => copy.name) ?? name,
    )
    work.count(dependencies?.length ?? 0)
    for (const copy of copies.get(job.name) ?? [undefined]) {
      const needs = job.needs && expandNeeds(job.needs.jobs, { copies, copy, work })
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

type Copies = {
  /** Of every job that has some. */
  copies: ReadonlyMap<string, readonly Copy[]>
  /** The one whose needs they are. */
  copy: Copy | undefined
  work: Work
}

/** The jobs that needs mean, of copies those with the values that are given, or all. */
export function expandNeeds(needs: readonly Need[], { copies, copy, work }: Copies): PlannedNeed[] {
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

/** `$[[ matrix.NAME ]]` is the value that the needing copy itself has. */
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

/** One text for the same values in whatever order. */
function namesOf(values: Record<string, string>): string {
  return JSON.stringify(Object.entries(values).sort())
}
