// Jobs that have scanned: pipelines whose jobs have made reports of vulnerabilities.
import type { PipelineRequest } from '../../src/features/delivery/pipeline-creation/pipeline-request.ts'
import type { Pipeline } from '../../src/subjects/pipeline.ts'
import type { Project } from '../../src/subjects/project.ts'
import { jobOf, newCiProject, newPipeline, storeFile, tellJob } from './pipelines.ts'
import type { World } from './world.ts'

/** A project whose pipelines have these jobs. */
export function newScannedProject(
  world: World,
  names: readonly string[] = ['scan'],
  options: Parameters<World['newProject']>[0] = {},
): Promise<Project> {
  const jobs = Object.fromEntries(names.map((name) => [name, { script: 'true' }]))
  return newCiProject(world, jobs, options)
}

type Reports = Record<string, object | string>

/** What the job of a pipeline reports, by the type of the report; the job succeeds. */
export async function reportAs(
  world: World,
  pipeline: Pipeline,
  reports: Reports,
  name = 'scan',
): Promise<void> {
  await tellJob(world, await jobOf(world, pipeline.id, name), 'run')
  for (const [file_type, report] of Object.entries(reports)) {
    const text = typeof report === 'string' ? report : JSON.stringify(report)
    const file = { file_type, file_format: 'raw', filename: `gl-${file_type}-report.json` }
    await storeFile(world, await jobOf(world, pipeline.id, name), Buffer.from(text), file)
  }
  await tellJob(world, await jobOf(world, pipeline.id, name), 'succeed')
}

/** A pipeline whose only job reports this; everything that follows has happened. */
export async function runScan(
  world: World,
  project: Project,
  reports: Reports,
  request: Partial<PipelineRequest> = {},
): Promise<Pipeline> {
  const pipeline = await newPipeline(world, project, request)
  await reportAs(world, pipeline, reports)
  return pipeline
}

/** A vulnerability of a SAST report of version 15, in whichever place. */
export function sastFinding(fields: Record<string, unknown> = {}) {
  const { file = 'app.py', start_line = 3, ...rest } = fields
  return {
    id: 'f1e2d3c4-0000-4000-8000-000000000001',
    category: 'sast',
    name: 'Use of eval',
    description: 'Evaluates what callers say.',
    severity: 'High',
    scanner: { id: 'bandit', name: 'Bandit' },
    identifiers: [
      {
        type: 'bandit_test_id',
        name: 'Bandit Test ID B307',
        value: 'B307',
        url: 'https://b.test/307',
      },
      { type: 'cwe', name: 'CWE-78', value: '78' },
    ],
    location: { file, start_line, end_line: start_line },
    ...rest,
  }
}

export function sastReport(...vulnerabilities: readonly unknown[]) {
  return {
    version: '15.0.7',
    scan: {
      type: 'sast',
      status: 'success',
      start_time: '2026-11-01T10:00:00',
      end_time: '2026-11-01T10:00:05',
      scanner: { id: 'bandit', name: 'Bandit', version: '1.7.5', vendor: { name: 'PyCQA' } },
    },
    vulnerabilities,
  }
}
