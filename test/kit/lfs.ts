// An LFS client by hand, so that nothing need be installed: requests as git-lfs sends them.
import { createHash } from 'node:crypto'
import type { Project } from '../../src/subjects/project.ts'
import type { Answer } from './app.ts'
import type { Who, World } from './world.ts'

export const lfsType = 'application/vnd.git-lfs+json'

export type LfsObject = { oid: string; size: number }

export function objectOf(content: string | Buffer): LfsObject {
  const bytes = Buffer.from(content)
  return { oid: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
}

export function pointerTo(content: string | Buffer): string {
  const { oid, size } = objectOf(content)
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** Requests to a project's LFS server as somebody, by token, or with a header of one's own. */
export function lfsClient(
  world: World,
  project: Pick<Project, 'full_path'>,
  who: Who | { authorization: string },
) {
  const authorization =
    typeof who === 'object'
      ? who.authorization
      : who === 'anonymous'
        ? undefined
        : basic('anyone', world.token(who))
  const send = (
    method: 'GET' | 'HEAD' | 'POST' | 'PUT',
    path: string,
    body?: object | string | Buffer,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const isJson = typeof body === 'object' && !Buffer.isBuffer(body)
    return world.app.server.inject({
      method,
      url: path.startsWith('http') ? new URL(path).pathname : `/${project.full_path}.git/${path}`,
      headers: {
        host: 'bloomery.test',
        ...(authorization === undefined ? {} : { authorization }),
        ...(isJson ? { accept: lfsType, 'content-type': lfsType } : {}),
        ...headers,
      },
      payload: isJson ? JSON.stringify(body) : (body as string | undefined),
    })
  }
  return {
    send,
    batch: (operation: string, objects: unknown, more: object = {}) =>
      send('POST', 'info/lfs/objects/batch', { operation, objects, transfers: ['basic'], ...more }),
    /** Sends the bytes as those of `object`, their own by default. */
    upload: (content: string | Buffer, object = objectOf(content)) =>
      send('PUT', `gitlab-lfs/objects/${object.oid}/${object.size}`, Buffer.from(content)),
    download: (oid: string, headers?: Record<string, string>) =>
      send('GET', `gitlab-lfs/objects/${oid}`, undefined, headers),
  }
}
