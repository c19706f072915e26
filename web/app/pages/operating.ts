// What a project runs and is watched by: alerts and their integrations, its site with domains, and clusters.
export { page as domain } from '../../features/content/pages/domain.page.tsx'
export { page as site } from '../../features/content/pages/site.page.tsx'
export { page as cluster } from '../../features/operating/clusters/cluster.page.tsx'
export { page as monitorSettings } from '../../features/security/alert-integrations/monitor-settings.page.tsx'
export { page as alert } from '../../features/security/alerts/alert.page.tsx'
export { page as alertList } from '../../features/security/alerts/alert-list.page.tsx'
