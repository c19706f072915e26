// Alerts, in a list and one by one.
export { page as alert } from '../../features/security/alerts/alert.page.tsx'
export { page as alertList } from '../../features/security/alerts/alert-list.page.tsx'
