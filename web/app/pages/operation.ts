// Administration: how the instance fares.
export { page as taskList } from '../../features/operating/background-tasks/task-list.page.tsx'
export { page as overview } from '../../features/operating/instance/overview.page.tsx'
export { page as storage } from '../../features/operating/storage-moves/storage.page.tsx'
