// The owner of clusters: a project, a group or the instance. The rest is the same for all of them.
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { SubjectLoader } from '../../../http/endpoint.ts'
import { type Group, groupLoader } from '../../../subjects/group.ts'
import { isUnarchived, type Project, projectLoader } from '../../../subjects/project.ts'

export type ClusterOwner =
  | { kind: 'project'; id: number; project: Project }
  | { kind: 'group'; id: number; group: Group }
  | { kind: 'instance'; id: 0 }

export const projectClusterOwnerLoader: SubjectLoader<ClusterOwner> = {
  parameters: projectLoader.parameters,
  async load(request) {
    const { subject: project, level } = await projectLoader.load(request)
    return { subject: { kind: 'project', id: project.id, project }, level }
  },
}

export const groupClusterOwnerLoader: SubjectLoader<ClusterOwner> = {
  parameters: groupLoader.parameters,
  async load(request) {
    const { subject: group, level } = await groupLoader.load(request)
    return { subject: { kind: 'group', id: group.id, group }, level }
  },
}

/** Loads the instance, which everybody can see. Access rules allow only administrators. */
export const instanceClusterOwnerLoader: SubjectLoader<ClusterOwner> = {
  parameters: {},
  async load({ actor }) {
    const level = actor.user?.is_admin ? Level.admin : Level.none
    return { subject: { kind: 'instance', id: 0 }, level }
  },
}

export const mayReadClusters: Rule<ClusterOwner> = ({ subject, level }) =>
  level >= (subject.kind === 'instance' ? Level.admin : Level.maintainer)
export const mayWriteClusters: Rule<ClusterOwner> = (facts) =>
  mayReadClusters(facts) &&
  (facts.subject.kind !== 'project' || isUnarchived(facts.subject.project))
