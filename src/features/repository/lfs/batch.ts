// Resolves a batch request: which objects a client may download or has to upload, and where (git-lfs: docs/api/batch.md;
// docs/api/lfs.md, "Batch").
import type { Db } from '../../../db/db.ts'
import { type Project, projectUrl } from '../../../subjects/project.ts'
import { findQuotaExcess, pushOverQuotaText } from '../quotas/quota.ts'
import { filterProjectLfsOids, isLfsOid } from './lfs.ts'
import type { LfsOperation } from './lfs-token.ts'

type Action = { href: string; header: Record<string, string>; expires_in?: number }
export type LfsBatchObject = {
  oid: unknown
  size: unknown
  authenticated?: true
  actions?: { download: Action } | { upload: Action }
  error?: { code: number; message: string }
}

export type LfsBatchRequest = {
  project: Project
  operation: LfsOperation
  /** The objects as sent by the client. They are validated here. */
  objects: readonly unknown[]
  /** The maximum size of one object. */
  bytes_max: number
  baseUrl: string
  /** The credentials for the links in the response; undefined if none are needed. */
  authentication: { header: { Authorization: string }; expires_in: number } | undefined
  /** Whether anyone may download. */
  isOpen: boolean
  /** Returns a presigned URL of S3; undefined if the object must be downloaded from this server. */
  presign: (oid: string) => Promise<{ href: string; expires_in: number } | undefined>
}

const absent = {
  code: 404,
  message: "Object does not exist on the server or you don't have permissions to access it",
}

/** Returns one entry for each requested object, in the same order; an object may be requested twice. */
export async function resolveLfsBatch(db: Db, request: LfsBatchRequest): Promise<LfsBatchObject[]> {
  const { project, operation, objects } = request
  const asked = objects.map((object) => checkObject(object, request.bytes_max))
  const oids = asked.flatMap(({ oid, error }) => (error ? [] : [oid as string]))
  const own = await filterProjectLfsOids(db, project.id, [...new Set(oids)])
  const full = operation === 'upload' ? await findRefusal(db, project, { asked, own }) : undefined
  return Promise.all(
    asked.map((object) => {
      if (object.error) return object
      const has = own.has(object.oid as string)
      return operation === 'download'
        ? downloadOf(request, object, has)
        : full && !has
          ? { ...object, error: full }
          : uploadOf(request, object, has)
    }),
  )
}

/** Returns why the project accepts no new objects; undefined if its quota has room for them. */
async function findRefusal(
  db: Db,
  project: Project,
  { asked, own }: { asked: readonly LfsBatchObject[]; own: ReadonlySet<string> },
): Promise<LfsBatchObject['error']> {
  const news = asked.filter(({ oid, error }) => !error && !own.has(oid as string))
  if (news.length === 0) return undefined
  const sizes = new Map(news.map(({ oid, size }) => [oid, size as number]))
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const excess = await findQuotaExcess(db, project.id, { bytes, goesTo: 'repository' })
  return excess && { code: 413, message: pushOverQuotaText(excess) }
}

function checkObject(object: unknown, bytes_max: number): LfsBatchObject {
  const { oid, size } = (object ?? {}) as { oid?: unknown; size?: unknown }
  const asSent = { oid: oid ?? null, size: size ?? null }
  const refuse = (message: string) => ({ ...asSent, error: { code: 422, message } })
  if (typeof oid !== 'string' || !isLfsOid(oid)) return refuse('The oid is no SHA-256 in hex.')
  if (!Number.isSafeInteger(size) || (size as number) < 0) {
    return refuse('The size is no number of bytes.')
  }
  if ((size as number) > bytes_max) return refuse('The object is too large.')
  return asSent
}

async function downloadOf(
  request: LfsBatchRequest,
  object: LfsBatchObject,
  has: boolean,
): Promise<LfsBatchObject> {
  if (!has) return { ...object, error: absent }
  const { authentication, isOpen } = request
  const elsewhere = await request.presign(object.oid as string)
  // The header must be empty: S3 refuses requests with two kinds of credentials.
  if (elsewhere)
    return { ...object, actions: { download: { ...elsewhere, header: {} } }, authenticated: true }
  const href = `${objectsUrl(request)}/${object.oid}`
  return {
    ...object,
    actions: {
      download: {
        href,
        header: { ...authentication?.header },
        ...(authentication ? { expires_in: authentication.expires_in } : {}),
      },
    },
    ...(isOpen ? { authenticated: true } : {}),
  }
}

/** Without actions, the client concludes that the object already exists. */
function uploadOf(request: LfsBatchRequest, object: LfsBatchObject, has: boolean): LfsBatchObject {
  if (has) return object
  const { authentication } = request
  return {
    ...object,
    actions: {
      upload: {
        href: `${objectsUrl(request)}/${object.oid}/${object.size}`,
        header: {
          ...authentication?.header,
          'Content-Type': 'application/octet-stream',
          'Transfer-Encoding': 'chunked',
        },
        ...(authentication ? { expires_in: authentication.expires_in } : {}),
      },
    },
  }
}

function objectsUrl({ baseUrl, project }: LfsBatchRequest): string {
  return `${projectUrl(baseUrl, project)}.git/gitlab-lfs/objects`
}
