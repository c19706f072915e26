// Pages for watching pipelines.
export { page as newPipeline } from '../../features/delivery/pipelines/new-pipeline.page.tsx'
export { page as pipeline } from '../../features/delivery/pipelines/pipeline.page.tsx'
export { page as pipelineList } from '../../features/delivery/pipelines/pipeline-list.page.tsx'
