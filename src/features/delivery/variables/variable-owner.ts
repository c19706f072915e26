// What has CI/CD variables: a project, a group or the instance. The rest is the same for all of them.
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { SubjectLoader } from '../../../http/endpoint.ts'
import { aGroup } from '../../../subjects/group.ts'
import { aProject, isUnarchived } from '../../../subjects/project.ts'

export type VariableOwner = {
  kind: 'project' | 'group' | 'instance'
  /** 0 for the instance. */
  id: number
  isUnarchived: boolean
  /** Of a project where pipelines are disabled: its variables are for nobody. */
  hasPipelines: boolean
}

export const aProjectOwner: SubjectLoader<VariableOwner> = {
  parameters: aProject.parameters,
  async load(request) {
    const { subject, level } = await aProject.load(request)
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

export const aGroupOwner: SubjectLoader<VariableOwner> = {
  parameters: aGroup.parameters,
  async load(request) {
    const { subject, level } = await aGroup.load(request)
    return {
      subject: { kind: 'group', id: subject.id, isUnarchived: true, hasPipelines: true },
      level,
    }
  },
}

/** The instance itself, which everybody sees and administrators alone may ask of. */
export const theInstance: SubjectLoader<VariableOwner> = {
  parameters: {},
  async load({ actor }) {
    const level = actor.user?.is_admin ? Level.admin : Level.none
    return { subject: { kind: 'instance', id: 0, isUnarchived: true, hasPipelines: true }, level }
  },
}

const levels = { project: Level.maintainer, group: Level.owner, instance: Level.admin } as const

/** Values are shown, so reading takes what writing takes. */
export const readVariables: Rule<VariableOwner> = ({ subject, level }) =>
  subject.hasPipelines && level >= levels[subject.kind]
export const writeVariables: Rule<VariableOwner> = (facts) =>
  readVariables(facts) && facts.subject.isUnarchived
