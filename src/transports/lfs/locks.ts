import type { FastifyReply } from 'fastify'
import {
  createLfsLock,
  type LfsLockRefusal,
  listLfsLocksPage,
  presentLfsLock,
  removeLfsLock,
} from '../../features/repository/lfs/lfs-lock.ts'
import { isLfsMaintainer } from './access.ts'
import { type LfsRequestContext, readLfsBody, serveWithLfsAccess } from './call.ts'
import { lfsRefusals, sendLfsError, sendLfsJson } from './reply.ts'

/** `POST info/lfs/locks`. */
export function serveCreateLock(call: LfsRequestContext): Promise<FastifyReply> {
  const { services, reply } = call
  return whenPerson(call, async ({ user, project }) => {
    const { path } = await readLfsBody(call)
    const asked = { project_id: project.id, user_id: user.id, path: textOf(path) }
    const result = await createLfsLock(services, asked)
    if ('refusal' in result) return refuse(call, result.refusal)
    return sendLfsJson(reply, 201, { lock: presentLfsLock(result.lock) })
  })
}

/** `GET info/lfs/locks`. `refspec` is ignored, since a lock applies to every branch. */
export function serveListLocks(call: LfsRequestContext): Promise<FastifyReply> {
  const { services, request, reply, baseUrl } = call
  return serveWithLfsAccess(call, 'download', async ({ project }) => {
    const query = new URLSearchParams((request.raw.url ?? '').split('?')[1] ?? '')
    const after = wholeNumber(query.get('cursor'))
    const limit = wholeNumber(query.get('limit'))
    if (after === null || limit === null) return sendLfsError(reply, lfsRefusals.number, baseUrl)
    const page = await listLfsLocksPage(services.db, project.id, {
      path: query.get('path') || undefined,
      // An id that no lock can have finds none.
      id: query.get('id') ? (wholeNumber(query.get('id')) ?? 0) : undefined,
      after,
      limit,
    })
    return sendLfsJson(reply, 200, { ...page, locks: page.locks.map(presentLfsLock) })
  })
}

/** `POST info/lfs/locks/verify`: lists the locks of the caller and those of others, which block a push. */
export function serveVerifyLocks(call: LfsRequestContext): Promise<FastifyReply> {
  const { services, reply, baseUrl } = call
  return whenPerson(call, async ({ user, project }) => {
    const body = await readLfsBody(call)
    const after = wholeNumber(body.cursor)
    const limit = wholeNumber(body.limit)
    if (after === null || limit === null) return sendLfsError(reply, lfsRefusals.number, baseUrl)
    const { locks, ...rest } = await listLfsLocksPage(services.db, project.id, { after, limit })
    const isOurs = (lock: { user_id: number }) => lock.user_id === user.id
    return sendLfsJson(reply, 200, {
      ours: locks.filter(isOurs).map(presentLfsLock),
      theirs: locks.filter((lock) => !isOurs(lock)).map(presentLfsLock),
      ...rest,
    })
  })
}

/** `POST info/lfs/locks/:id/unlock`. */
export function serveDeleteLock(
  call: LfsRequestContext,
  [id = '']: string[],
): Promise<FastifyReply> {
  const { services, reply } = call
  return whenPerson(call, async ({ user, project, ...rest }) => {
    const { force } = await readLfsBody(call)
    const result = await removeLfsLock(services.db, {
      project_id: project.id,
      id: Number(id),
      user_id: user.id,
      force: force === true,
      isMaintainer: rest.isMaintainer,
    })
    if ('refusal' in result) return refuse(call, result.refusal)
    return sendLfsJson(reply, 200, { lock: presentLfsLock(result.lock) })
  })
}

type Person = {
  user: { id: number }
  project: { id: number }
  isMaintainer: boolean
}

/** For somebody who may push and is a person: a lock is always somebody's. */
function whenPerson(
  call: LfsRequestContext,
  run: (person: Person) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { caller, reply, baseUrl } = call
  return serveWithLfsAccess(call, 'upload', async (target) => {
    const { user } = caller.actor
    if (!user) return sendLfsError(reply, lfsRefusals.forbidden, baseUrl)
    return run({ user, project: target.project, isMaintainer: isLfsMaintainer(caller, target) })
  })
}

function refuse(
  { reply, baseUrl }: LfsRequestContext,
  { lock, ...refusal }: LfsLockRefusal,
): FastifyReply {
  return sendLfsError(
    reply,
    { ...(lock ? { lock: presentLfsLock(lock) } : {}), ...refusal },
    baseUrl,
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Undefined when nothing was sent, null when it is no whole number. */
function wholeNumber(value: unknown): number | undefined | null {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string' && typeof value !== 'number') return null
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : null
}
