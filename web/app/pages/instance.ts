// Administration: the records of the instance.
export { page as systemHookList } from '../../features/activity/webhooks/system-hook-list.page.tsx'
export { page as variableList } from '../../features/delivery/ci-settings/instance-variables.page.tsx'
export { page as jobList } from '../../features/delivery/jobs/instance-job-list.page.tsx'
export { page as runnerList } from '../../features/delivery/runners/runner-list.page.tsx'
export { page as groupList } from '../../features/groups/groups/admin-group-list.page.tsx'
export { page as nodeList } from '../../features/operating/nodes/node-list.page.tsx'
export { page as applicationList } from '../../features/people/oauth/application-list.page.tsx'
export { page as projectList } from '../../features/projects/projects/admin-project-list.page.tsx'
