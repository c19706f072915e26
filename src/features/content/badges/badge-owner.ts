// The owner of badges: a project or a group. The rest is the same for both.
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { SubjectLoader } from '../../../http/endpoint.ts'
import { groupLoader } from '../../../subjects/group.ts'
import { isUnarchived, type Project, projectLoader } from '../../../subjects/project.ts'

export type BadgeOwner =
  | { kind: 'project'; id: number; namespace_id: number; project: Project; level: number }
  | { kind: 'group'; id: number }

export const projectBadgeOwnerLoader: SubjectLoader<BadgeOwner> = {
  parameters: projectLoader.parameters,
  async load(request) {
    const { subject: project, level } = await projectLoader.load(request)
    const { id, namespace_id } = project
    return { subject: { kind: 'project', id, namespace_id, project, level }, level }
  },
}

export const groupBadgeOwnerLoader: SubjectLoader<BadgeOwner> = {
  parameters: groupLoader.parameters,
  async load(request) {
    const { subject, level } = await groupLoader.load(request)
    return { subject: { kind: 'group', id: subject.id }, level }
  },
}

/** Whether the caller may preview a badge, which requires the same role as adding one (docs/api/badges.md, "Who may"). */
export const mayRenderBadges: Rule<BadgeOwner> = ({ subject, level }) =>
  level >= (subject.kind === 'group' ? Level.owner : Level.maintainer)
export const mayWriteBadges: Rule<BadgeOwner> = (facts) =>
  mayRenderBadges(facts) && (facts.subject.kind === 'group' || isUnarchived(facts.subject.project))
