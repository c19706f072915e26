import { Type } from 'typebox'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { oneOf, pageInput } from '../../../http/schema.ts'
import { recordNotFound } from '../../../kernel/errors.ts'
import { mayReadPipelines } from '../../../subjects/pipeline.ts'
import { type Project, projectLoader } from '../../../subjects/project.ts'
import { findProjectPipeline } from '../../delivery/pipelines/pipeline.ts'
import { listLicensePolicies } from '../managed-licenses/managed-license.ts'
import { classifyLicenses, licenseApprovalStatuses } from './classify.ts'
import { ensurePipelineLicenses } from './ensure-pipeline-licenses.ts'
import { PipelineLicenseJson, presentPipelineLicense } from './pipeline-license.present.ts'
import { findPipelineLicensesByIds, listPipelineLicenseNames } from './pipeline-license.store.ts'

const endpoint = endpointFactory({
  tag: 'Licences of pipelines',
  tier: 'ultimate',
  on: projectLoader,
})

const pipelineInput = { pipeline_id: Type.Integer() }

/** Returns the pipeline's licences by name, with their classification by the project. */
async function classifyAll(context: Context<Project, { pipeline_id: number }>) {
  const { db, subject: project, input } = context
  const pipeline = await findProjectPipeline(db, { project_id: project.id, id: input.pipeline_id })
  if (!pipeline) throw recordNotFound()
  await ensurePipelineLicenses(context, pipeline.id)
  const licenses = await listPipelineLicenseNames(db, pipeline.id)
  return classifyLicenses(licenses, await listLicensePolicies(db, project.id))
}

export const pipelineLicenseEndpoints = [
  endpoint({
    route: 'GET /projects/:id/pipelines/:pipeline_id/licenses',
    summary: 'List the licenses of a pipeline',
    allow: mayReadPipelines,
    input: Type.Object({
      ...pipelineInput,
      approval_status: Type.Optional(oneOf(licenseApprovalStatuses)),
      ...pageInput,
    }),
    answer: Type.Array(PipelineLicenseJson),
    async run(context) {
      const { db, range, input } = context
      const { approval_status: wanted } = input
      const matching = (await classifyAll(context)).filter(
        ({ classification }) => !wanted || classification.approval_status === wanted,
      )
      const page = matching.slice(range.offset, range.offset + range.per_page)
      const rows = await findPipelineLicensesByIds(
        db,
        page.map(({ license }) => license.id),
      )
      const byId = new Map(rows.map((row) => [row.id, row]))
      const items = page.flatMap(({ license, classification }) => {
        const row = byId.get(license.id)
        return row ? [presentPipelineLicense(row, classification)] : []
      })
      return new Page({ items, total: matching.length })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/pipelines/:pipeline_id/licenses/summary',
    summary: 'Count the licenses of a pipeline by approval status',
    allow: mayReadPipelines,
    input: Type.Object(pipelineInput),
    answer: Type.Object({
      allowed: Type.Integer(),
      denied: Type.Integer(),
      unclassified: Type.Integer(),
    }),
    async run(context) {
      const counts = { allowed: 0, denied: 0, unclassified: 0 }
      for (const { classification } of await classifyAll(context)) {
        counts[classification.approval_status]++
      }
      return counts
    },
  }),
]
