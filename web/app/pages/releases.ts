// Lists of releases of a project and of a group, where each is changed, and a new one.
export { page as groupReleaseList } from '../../features/content/releases/group-release-list.page.tsx'
export { page as newRelease } from '../../features/content/releases/release-form.page.tsx'
export { page as releaseList } from '../../features/content/releases/release-list.page.tsx'
