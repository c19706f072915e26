// The owner of webhooks: a project, a group or the instance, and who administers them.
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import type { SubjectLoader } from '../../../http/endpoint.ts'
import { groupLoader } from '../../../subjects/group.ts'
import { projectLoader } from '../../../subjects/project.ts'
import type { WebhookOwner } from './webhook.store.ts'

export const projectHookOwnerLoader: SubjectLoader<WebhookOwner> = {
  parameters: projectLoader.parameters,
  async load(request) {
    const { subject, level } = await projectLoader.load(request)
    return { subject: { kind: 'project', id: subject.id }, level }
  },
}

export const groupHookOwnerLoader: SubjectLoader<WebhookOwner> = {
  parameters: groupLoader.parameters,
  async load(request) {
    const { subject, level } = await groupLoader.load(request)
    return { subject: { kind: 'group', id: subject.id }, level }
  },
}

/** Loads the instance, which everybody can see. Access rules allow only administrators. */
export const instanceHookOwnerLoader: SubjectLoader<WebhookOwner> = {
  parameters: {},
  async load({ actor }) {
    const level = actor.user?.is_admin ? Level.admin : Level.none
    return { subject: { kind: 'system', id: 0 }, level }
  },
}

const levels = { project: Level.maintainer, group: Level.owner, system: Level.admin } as const

/** Webhooks send everything that happens to their address, so they require a Maintainer, or an Owner of a group. */
export const mayAdminWebhooks: Rule<WebhookOwner> = ({ subject, level }) =>
  level >= levels[subject.kind]
