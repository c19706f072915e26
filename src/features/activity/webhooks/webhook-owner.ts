// Whose webhooks an endpoint is about, and who administers those.
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { SubjectLoader } from '../../../http/endpoint.ts'
import { aGroup } from '../../../subjects/group.ts'
import { aProject } from '../../../subjects/project.ts'
import type { HookOwner } from './webhook.store.ts'

export const aProjectOwner: SubjectLoader<HookOwner> = {
  parameters: aProject.parameters,
  async load(request) {
    const { subject, level } = await aProject.load(request)
    return { subject: { kind: 'project', id: subject.id }, level }
  },
}

export const aGroupOwner: SubjectLoader<HookOwner> = {
  parameters: aGroup.parameters,
  async load(request) {
    const { subject, level } = await aGroup.load(request)
    return { subject: { kind: 'group', id: subject.id }, level }
  },
}

/** The instance itself, which everybody sees and administrators alone may ask of. */
export const theInstance: SubjectLoader<HookOwner> = {
  parameters: {},
  async load({ actor }) {
    const level = actor.user?.is_admin ? Level.admin : Level.none
    return { subject: { kind: 'system', id: 0 }, level }
  },
}

const levels = { project: Level.maintainer, group: Level.owner, system: Level.admin } as const

/** They tell everything that happens to whoever they lead to. */
export const adminWebhooks: Rule<HookOwner> = ({ subject, level }) => level >= levels[subject.kind]
