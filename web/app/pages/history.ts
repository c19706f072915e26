// Lists of commits, and of the branches and tags that name them.
export { page as branchList } from '../../features/repository/branches/branch-list.page.tsx'
export { page as commitList } from '../../features/repository/commits/commit-list.page.tsx'
export { page as tagList } from '../../features/repository/tags/tag-list.page.tsx'
