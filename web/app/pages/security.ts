// Security pages of a project, a group, and the dashboard of a user.
export { page as dependencyList } from '../../features/security/dependencies/dependency-list.page.tsx'
export { page as licenseList } from '../../features/security/licenses/license-list.page.tsx'
export { page as securityDashboard } from '../../features/security/vulnerabilities/dashboard.page.tsx'
export { page as vulnerability } from '../../features/security/vulnerabilities/vulnerability.page.tsx'
export { page as vulnerabilityList } from '../../features/security/vulnerabilities/vulnerability-list.page.tsx'
