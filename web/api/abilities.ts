// What the reader may do in the project or group that a page is below.
import { mayInGroup, useGroup } from './group.ts'
import { mayInProject, useProject } from './project.ts'

/** Answers whether an ability is the reader's; all are absent until the project or group is known. */
export function useAbilities({
  kind,
  id,
}: {
  kind: string
  id: number
}): (ability: string) => boolean {
  const { data: project } = useProject(id, { isAsked: kind === 'project' })
  const { data: group } = useGroup(id, { isAsked: kind === 'group' })
  return (ability) => mayInProject(project, ability) || mayInGroup(group, ability)
}
