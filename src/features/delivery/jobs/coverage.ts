// Reads the coverage of a job from its log (docs/api/ci.md, "Coverage").

import type { JobOptions } from '../../../ci/planned.ts'
import { StepBudget } from '../../../ci/step-budget.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { MatchBudget } from '../../../kernel/match-budget.ts'
import { getJobSpec, type Job, updateJobRow } from '../pipeline-changes/job.ts'
import { getCiSettings } from '../pipelines/pipeline.ts'
import { readJobLog } from './job-log.ts'

/** How much of the end of a log is searched. */
const tail_bytes = 1024 * 1024
const line_characters_max = 10_000
const line_steps_max = 100_000

/** Stores the coverage of a job: the figure of the last log line that matches the expression of the job or project. */
export async function saveCoverageFromLog(
  uses: Pick<Instance, 'db' | 'config'>,
  job: Job,
): Promise<void> {
  const { db } = uses
  const options = (await getJobSpec(db, job.id)).options as JobOptions
  const source = options.coverage ?? (await getCiSettings(db, job.project_id)).build_coverage_regex
  if (!source) return
  const coverage = await findCoverage(uses, job, source)
  if (coverage !== undefined) await updateJobRow(db, job.id, { coverage })
}

async function findCoverage(
  uses: Pick<Instance, 'db' | 'config'>,
  job: Job,
  source: string,
): Promise<number | undefined> {
  // The engine of regular expressions is loaded on demand, since few jobs have a coverage pattern.
  const { compileRegexLiteral, isRegexLiteral } = await import('../../../ci/regular-expression.ts')
  const expression = compileRegexLiteral(
    isRegexLiteral(source) ? source : `/${source}/`,
    new StepBudget(),
  )
  if (!expression) return undefined
  const budget = new MatchBudget()
  const start = Math.max(0, Number(job.log_bytes) - tail_bytes)
  const chunks: Buffer[] = []
  for await (const chunk of await readJobLog(uses, job, { start })) chunks.push(chunk as Buffer)
  const lines = Buffer.concat(chunks).toString('utf8').split('\n')
  for (const line of lines.toReversed()) {
    const text = line.slice(0, line_characters_max)
    const cost = expression.cost(text)
    // Gives up if matching this line would block the event loop for too long, or all lines together would
    // take too long.
    if (cost > line_steps_max || !budget.count(cost)) return undefined
    if (budget.isDue) await budget.pause()
    const found = expression.find(text)
    const figure = found === undefined ? undefined : /\d{1,9}(\.\d{1,9})?/.exec(found)?.[0]
    if (figure !== undefined) return Math.min(Number(figure), 100)
  }
  return undefined
}
