// The only entry point of the engine: plans a pipeline from a configuration and an event, or returns the problems.
import { limits } from '../kernel/limits.ts'
import { checkJobs } from './check-jobs.ts'
import { ciMessages } from './ci-messages.ts'
import { type Config, readConfig } from './config.ts'
import { ConfigurationError, DiagnosticCollector } from './diagnostic-collector.ts'
import { EvaluationContext } from './evaluation-context.ts'
import { resolveExtends } from './extends.ts'
import { loadConfiguration } from './include.ts'
import type { JobConfig } from './job.ts'
import { expandJobInstances, type JobInstance } from './job-instances.ts'
import { createPipelinePlan } from './plan.ts'
import type {
  ConfigFiles,
  ConfiguredJob,
  IncludedFile,
  PipelineEvent,
  PlanResult,
} from './planned.ts'
import { resolveReferences } from './references.ts'
import { StepBudget } from './step-budget.ts'
import { type Dict, treeSizeOf } from './tree.ts'
import { writeYaml } from './write-yaml.ts'

export type PlanRequest = {
  text: string
  /** The path of the file in its repository, for messages. */
  path: string
  event: PipelineEvent
  files: ConfigFiles
  /** Counts the steps of the work. */
  work?: StepBudget
}

/**
 * Plans the pipeline that an event creates from a configuration. Returns problems of the configuration as diagnostics,
 * and throws for none of them.
 */
export async function planPipeline(request: PlanRequest): Promise<PlanResult> {
  const problems = new DiagnosticCollector()
  const steps: Steps = { includes: [], instances: [] }
  let end: Awaited<ReturnType<typeof createPipelinePlan>> = {}
  try {
    end = await takeSteps(request, problems, steps)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    problems.error(error.message, error.at ?? { file: request.path, line: 1, column: 1 })
  }
  const { merged } = steps
  return {
    diagnostics: problems.diagnostics,
    // Formatted on demand, since it is as long as all files together.
    get merged_yaml() {
      const isShort = merged && treeSizeOf(merged).characters <= limits.ci.written_characters
      return isShort ? writeYaml(merged) : undefined
    },
    includes: steps.includes,
    jobs: steps.config ? steps.config.jobs.map(presentJob) : [],
    variables: steps.config?.variables ?? [],
    plan: end.plan,
    refusal: end.refusal,
  }
}

/** The results of the steps that were completed. */
type Steps = { includes: IncludedFile[]; merged?: Dict; config?: Config; instances: JobInstance[] }

async function takeSteps(
  { text, path, event, files, work = new StepBudget() }: PlanRequest,
  problems: DiagnosticCollector,
  steps: Steps,
): ReturnType<typeof createPipelinePlan> {
  if (text.trim() === '') throw new ConfigurationError(ciMessages.empty(path))
  const values = { ...event.predefined, ...event.given }
  const context = new EvaluationContext({ event, files, work }, values)
  const loaded = await loadConfiguration({ text, path, files, context }, steps.includes)
  const merged = await resolveReferences(await resolveExtends(loaded, work), work)
  if (treeSizeOf(merged).characters > limits.ci.tree_characters) {
    throw new ConfigurationError(ciMessages.tooBig)
  }
  steps.merged = merged
  const config = await readConfig(merged, problems, work)
  steps.config = config
  const { jobs, stages } = config
  const instances = await expandJobInstances(jobs, work)
  await checkJobs({ jobs, instances, stages }, problems, work)
  if (problems.hasErrors) return {}
  return createPipelinePlan({ config, instances }, { context, problems })
}

function presentJob(job: JobConfig): ConfiguredJob {
  const { options } = job
  return {
    name: job.name,
    stage: job.stage,
    before_script: options.before_script ?? [],
    script: options.script ?? [],
    after_script: options.after_script ?? [],
    tag_list: job.tags,
    only: job.only?.shown ?? null,
    except: job.except?.shown ?? null,
    environment: options.environment?.name ?? null,
    when: job.when ?? 'on_success',
    allow_failure: job.allowFailure ?? job.when === 'manual',
    needs:
      job.needs?.jobs.map(({ name, artifacts, optional }) => ({ name, artifacts, optional })) ??
      null,
  }
}
