// Pages of jobs: the list, and a single one with its log.
export { page as job } from '../../features/delivery/jobs/job.page.tsx'
export { page as jobList } from '../../features/delivery/jobs/job-list.page.tsx'
