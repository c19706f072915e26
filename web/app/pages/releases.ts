// A list of releases, where each is changed, and a new one.
export { page as newRelease } from '../../features/content/releases/release-form.page.tsx'
export { page as releaseList } from '../../features/content/releases/release-list.page.tsx'
