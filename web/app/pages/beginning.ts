// Forms that create something with a name and a path: groups, projects and forks.
export { page as newGroup } from '../../features/groups/groups/new-group.page.tsx'
export { page as newFork } from '../../features/projects/forks/new-fork.page.tsx'
export { page as newProject } from '../../features/projects/projects/new-project.page.tsx'
