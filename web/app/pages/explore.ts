// Pages of "Explore": projects, groups and topics, for visitors too.
export { page as groupList } from '../../features/groups/groups/group-list.page.tsx'
export { page as projectList } from '../../features/projects/projects/project-list.page.tsx'
export { page as topicList } from '../../features/projects/topics/topic-list.page.tsx'
