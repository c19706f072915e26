// The coverage a job says it has, in its log (docs/api/ci.md, "Coverage").

import { setImmediate } from 'node:timers/promises'
import type { JobOptions } from '../../../ci/planned.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { findSpec, type Job, updateJobRow } from '../pipelines/job.ts'
import { findCiSettings } from '../pipelines/pipeline.ts'
import { readLog } from './job-log.ts'

/** So much of the end of a log is looked through. */
const tail_bytes = 1024 * 1024
const line_characters_max = 10_000
/** After so many characters others get their turn. */
const turn_characters = 20_000

/** Keeps the figure of the last line that the expression fits, where job or project has one. */
export async function noteCoverage(uses: { db: Db; config: Config }, job: Job): Promise<void> {
  const { db } = uses
  const options = (await findSpec(db, job.id)).options as JobOptions
  const source = options.coverage ?? (await findCiSettings(db, job.project_id)).build_coverage_regex
  if (!source) return
  const coverage = await findCoverage(uses, job, source)
  if (coverage !== undefined) await updateJobRow(db, job.id, { coverage })
}

async function findCoverage(
  uses: { db: Db; config: Config },
  job: Job,
  source: string,
): Promise<number | undefined> {
  // Loaded for the few jobs that say where their coverage stands.
  const [{ compileExpression, isExpressionText }, { Work }] = await Promise.all([
    import('../../../ci/regular-expression.ts'),
    import('../../../ci/work.ts'),
  ])
  const expression = compileExpression(
    isExpressionText(source) ? source : `/${source}/`,
    new Work(),
  )
  if (!expression) return undefined
  const start = Math.max(0, Number(job.log_bytes) - tail_bytes)
  const chunks: Buffer[] = []
  for await (const chunk of await readLog(uses, job, { start })) chunks.push(chunk as Buffer)
  const lines = Buffer.concat(chunks).toString('utf8').split('\n')
  let looked = 0
  for (const line of lines.toReversed()) {
    looked += line.length
    if (looked > turn_characters) {
      looked = 0
      await setImmediate()
    }
    const found = expression.find(line.slice(0, line_characters_max))
    const figure = found === undefined ? undefined : /\d{1,9}(\.\d{1,9})?/.exec(found)?.[0]
    if (figure !== undefined) return Math.min(Number(figure), 100)
  }
  return undefined
}
