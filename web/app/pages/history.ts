// Lists of commits, branches and tags.
export { page as branchList } from '../../features/repository/branches/branch-list.page.tsx'
export { page as commitList } from '../../features/repository/commits/commit-list.page.tsx'
export { page as tagList } from '../../features/repository/tags/tag-list.page.tsx'
