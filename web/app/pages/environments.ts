// Environments of a project, the list and one of them.
export { page as environment } from '../../features/delivery/environments/environment.page.tsx'
export { page as environmentList } from '../../features/delivery/environments/environment-list.page.tsx'
