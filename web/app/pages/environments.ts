// Pages of environments: the list and a single one.
export { page as environment } from '../../features/delivery/environments/environment.page.tsx'
export { page as environmentList } from '../../features/delivery/environments/environment-list.page.tsx'
