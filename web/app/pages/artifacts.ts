// Pages of artifacts: of a project and of a job.
export { page as artifactFolder } from '../../features/delivery/artifacts/artifact-folder.page.tsx'
export { page as artifactList } from '../../features/delivery/artifacts/artifact-list.page.tsx'
