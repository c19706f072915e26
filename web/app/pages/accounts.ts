// Pages of users, groups and projects for administrators.
export { page as siteList } from '../../features/content/pages/site-list.page.tsx'
export { page as account } from '../../features/people/users/admin-user.page.tsx'
export { page as accountList } from '../../features/people/users/user-list.page.tsx'
export { page as exportList } from '../../features/security/vulnerabilities/export-list.page.tsx'
