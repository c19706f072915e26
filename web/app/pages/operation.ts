// Administration: the health of the instance.
export { page as taskList } from '../../features/operating/background-tasks/task-list.page.tsx'
export { page as broadcastForm } from '../../features/operating/broadcast-messages/broadcast-form.page.tsx'
export { page as broadcastList } from '../../features/operating/broadcast-messages/broadcast-list.page.tsx'
export { page as overview } from '../../features/operating/instance/overview.page.tsx'
export { page as storage } from '../../features/operating/storage-moves/storage.page.tsx'
