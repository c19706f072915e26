import { type Examples, keep } from '../../../../test/kit/examples.ts'
import { newScannedProject, runScan, sastReport } from '../../../../test/kit/scans.ts'

const pipeline = keep(async (world) => {
  const project = await newScannedProject(world)
  const { id } = await runScan(world, project, { sast: sastReport() })
  return { path: { id: project.id, pipeline_id: id } }
})

export const examples: Examples = {
  'GET /projects/:id/pipelines/:pipeline_id/licenses': pipeline,
  'GET /projects/:id/pipelines/:pipeline_id/licenses/summary': pipeline,
}
