// Alerts of a project, and the integrations that take them.
export { page as monitorSettings } from '../../features/security/alert-integrations/monitor-settings.page.tsx'
export { page as alert } from '../../features/security/alerts/alert.page.tsx'
export { page as alertList } from '../../features/security/alerts/alert-list.page.tsx'
