// Pages of one issue.
export { page as issue } from '../../features/planning/issues/issue.page.tsx'
export { page as newIssue } from '../../features/planning/issues/new-issue.page.tsx'
