// Pages of alerts: the list and a single one.
export { page as alert } from '../../features/security/alerts/alert.page.tsx'
export { page as alertList } from '../../features/security/alerts/alert-list.page.tsx'
