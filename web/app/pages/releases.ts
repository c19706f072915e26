// Pages of releases: lists of a project and a group, and the form.
export { page as groupReleaseList } from '../../features/content/releases/group-release-list.page.tsx'
export { page as newRelease } from '../../features/content/releases/release-form.page.tsx'
export { page as releaseList } from '../../features/content/releases/release-list.page.tsx'
