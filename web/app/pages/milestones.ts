// Pages of milestones: the list, a single one, and the form.
export { page as milestone } from '../../features/planning/milestones/milestone.page.tsx'
export { page as milestoneList } from '../../features/planning/milestones/milestone-list.page.tsx'
export { page as newMilestone } from '../../features/planning/milestones/new-milestone.page.tsx'
