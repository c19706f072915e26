// The owner of CI/CD variables: a project, a group or the instance. The rest is the same for all of them.
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { SubjectLoader } from '../../../http/endpoint.ts'
import { groupLoader } from '../../../subjects/group.ts'
import { isUnarchived, projectLoader } from '../../../subjects/project.ts'

export type VariableOwner = {
  kind: 'project' | 'group' | 'instance'
  /** The id of the project or group; 0 for the instance. */
  id: number
  isUnarchived: boolean
  /** False for a project with disabled pipelines. Nobody can access its variables. */
  hasPipelines: boolean
}

export const projectVariableOwnerLoader: SubjectLoader<VariableOwner> = {
  parameters: projectLoader.parameters,
  async load(request) {
    const { subject, level } = await projectLoader.load(request)
    const hasPipelines = subject.builds_access_level !== 'disabled'
    const owner = {
      kind: 'project',
      id: subject.id,
      isUnarchived: isUnarchived(subject),
      hasPipelines,
    } as const
    return { subject: owner, level }
  },
}

export const groupVariableOwnerLoader: SubjectLoader<VariableOwner> = {
  parameters: groupLoader.parameters,
  async load(request) {
    const { subject, level } = await groupLoader.load(request)
    return {
      subject: { kind: 'group', id: subject.id, isUnarchived: true, hasPipelines: true },
      level,
    }
  },
}

/** Loads the instance, which everybody can see. Access rules allow only administrators. */
export const instanceVariableOwnerLoader: SubjectLoader<VariableOwner> = {
  parameters: {},
  async load({ actor }) {
    const level = actor.user?.is_admin ? Level.admin : Level.none
    return { subject: { kind: 'instance', id: 0, isUnarchived: true, hasPipelines: true }, level }
  },
}

const levels = { project: Level.maintainer, group: Level.owner, instance: Level.admin } as const

/** Whether the caller may read variables: reading requires the same role as writing, since values are shown. */
export const mayReadCiVariables: Rule<VariableOwner> = ({ subject, level }) =>
  subject.hasPipelines && level >= levels[subject.kind]
export const mayWriteCiVariables: Rule<VariableOwner> = (facts) =>
  mayReadCiVariables(facts) && facts.subject.isUnarchived
