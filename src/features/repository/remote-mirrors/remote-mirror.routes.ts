import { Type } from 'typebox'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { optionalBoolean, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badRequest, invalid, recordNotFound, unauthorized } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { sealSecret } from '../../../kernel/secrets.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { mayAdminProject, type Project, projectLoader } from '../../../subjects/project.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { readMirrorAddressPolicy } from './mirror-address-policy.ts'
import { maskUrlCredentials, mirrorUrlProblems } from './mirror-url.ts'
import { presentRemoteMirror, RemoteMirrorJson } from './remote-mirror.present.ts'
import {
  deleteRemoteMirror,
  findRemoteMirror,
  hasMirrorsAtLeast,
  insertRemoteMirror,
  listRemoteMirrors,
  type RemoteMirror,
  updateRemoteMirror,
} from './remote-mirror.store.ts'
import { enqueueMirrorUpdate } from './remote-mirror.tasks.ts'

const endpoint = endpointFactory<Project>({
  tag: 'Remote mirrors',
  on: projectLoader,
  signIn: 'always',
})
const mayManage = { allow: mayAdminProject, refusal: () => unauthorized() }
const one = '/projects/:id/remote_mirrors/:mirror_id(^\\d+$)' as const
const mirrorInput = { mirror_id: Type.Integer() }
const settingsInput = {
  enabled: optionalBoolean,
  only_protected_branches: optionalBoolean,
  keep_divergent_refs: optionalBoolean,
}

async function getMirror({
  db,
  subject,
  input,
}: Context<Project, { mirror_id: number }>): Promise<RemoteMirror> {
  const mirror = await findRemoteMirror(db, { id: input.mirror_id, project_id: subject.id })
  if (!mirror) throw recordNotFound()
  return mirror
}

/** Records an audit event with the URL of the mirror without its credentials. */
async function recordMirrorEvent(
  context: Context<Project, unknown>,
  action: 'remote_mirror_added' | 'remote_mirror_changed' | 'remote_mirror_removed',
  { id, shown_url, enabled }: RemoteMirror,
): Promise<void> {
  await recordAuditEvent(context, {
    action,
    entity: { kind: 'project', id: context.subject.id },
    target: { kind: 'remote_mirror', id, name: shown_url },
    details: { enabled },
  })
}

export const remoteMirrorEndpoints = [
  endpoint({
    route: 'GET /projects/:id/remote_mirrors',
    summary: 'List the push mirrors of a project',
    ...mayManage,
    input: Type.Object(pageInput),
    answer: Type.Array(RemoteMirrorJson),
    async run({ db, subject: project, range }) {
      const { rows, total } = await listRemoteMirrors(db, project.id, range)
      return new Page({ items: rows.map(presentRemoteMirror), total })
    },
  }),

  endpoint({
    route: `GET ${one}`,
    summary: 'Get a push mirror of a project',
    ...mayManage,
    input: Type.Object(mirrorInput),
    answer: RemoteMirrorJson,
    async run(context) {
      return presentRemoteMirror(await getMirror(context))
    },
  }),

  endpoint({
    route: 'POST /projects/:id/remote_mirrors',
    summary: 'Add a push mirror to a project',
    ...mayManage,
    input: Type.Object({ url: Type.String(), ...settingsInput }),
    status: 201,
    answer: RemoteMirrorJson,
    async run(context) {
      const { db, clock, subject: project, input, secretKey } = context
      const { url } = input
      const problems = mirrorUrlProblems(url, await readMirrorAddressPolicy(db))
      if (Object.keys(problems).length > 0) throw invalid(problems)
      const maximum = limits.remote_mirrors.mirrors_max
      await lockOwner(db, { kind: 'project', id: project.id })
      if (await hasMirrorsAtLeast(db, project.id, maximum)) {
        throw invalid({ base: [`Maximum number of remote mirrors (${maximum}) exceeded`] })
      }
      const mirror = await insertRemoteMirror(db, {
        project_id: project.id,
        url: sealSecret(secretKey, url),
        shown_url: maskUrlCredentials(url),
        enabled: input.enabled ?? false,
        only_protected_branches: input.only_protected_branches ?? false,
        keep_divergent_refs: input.keep_divergent_refs ?? false,
        created_at: timestamp(clock),
      })
      await recordMirrorEvent(context, 'remote_mirror_added', mirror)
      return presentRemoteMirror(mirror)
    },
  }),

  endpoint({
    route: `PUT ${one}`,
    summary: 'Change a push mirror of a project',
    ...mayManage,
    input: Type.Object({ ...mirrorInput, ...settingsInput }),
    answer: RemoteMirrorJson,
    async run(context) {
      const mirror = await getMirror(context)
      const { enabled = mirror.enabled, ...input } = context.input
      const { only_protected_branches = mirror.only_protected_branches } = input
      const { keep_divergent_refs = mirror.keep_divergent_refs } = input
      const changes = { enabled, only_protected_branches, keep_divergent_refs }
      const changed = await updateRemoteMirror(context.db, mirror.id, changes)
      if (!changed) throw recordNotFound()
      await recordMirrorEvent(context, 'remote_mirror_changed', changed)
      return presentRemoteMirror(changed)
    },
  }),

  endpoint({
    route: `POST ${one}/sync`,
    summary: 'Push to a mirror of a project now',
    ...mayManage,
    input: Type.Object(mirrorInput),
    status: 204,
    async run(context) {
      const mirror = await getMirror(context)
      if (!mirror.enabled)
        throw badRequest(
          'Cannot proceed with the push mirroring. Please verify your mirror configuration.',
        )
      await enqueueMirrorUpdate(context.db, context.clock, {
        ...mirror,
        last_update_started_at: null,
      })
    },
  }),

  endpoint({
    route: `DELETE ${one}`,
    summary: 'Remove a push mirror of a project',
    ...mayManage,
    input: Type.Object(mirrorInput),
    status: 204,
    async run(context) {
      const mirror = await getMirror(context)
      await deleteRemoteMirror(context.db, mirror.id)
      await recordMirrorEvent(context, 'remote_mirror_removed', mirror)
    },
  }),
]
