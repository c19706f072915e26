// Pages of a project's site and its domains.
export { page as domain } from '../../features/content/pages/domain.page.tsx'
export { page as site } from '../../features/content/pages/site.page.tsx'
