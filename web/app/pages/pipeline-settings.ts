// Settings of pipelines: CI/CD settings, runners, schedules.
export { page as ciSettings } from '../../features/delivery/ci-settings/ci-settings.page.tsx'
export { page as groupCiSettings } from '../../features/delivery/ci-settings/group-ci-settings.page.tsx'
export { page as groupRunners } from '../../features/delivery/ci-settings/group-runners.page.tsx'
export { page as schedule } from '../../features/delivery/pipeline-schedules/schedule-form.page.tsx'
export { page as scheduleList } from '../../features/delivery/pipeline-schedules/schedule-list.page.tsx'
