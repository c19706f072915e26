// Avatars of projects and groups through the API, for clients that send no token to the avatar's URL.

import type { Rule } from '../../../access/rule.ts'
import { Answer } from '../../../http/answer.ts'
import { type Context, endpoint } from '../../../http/endpoint.ts'
import { binaryBody } from '../../../http/schema.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { AvatarOwner } from '../../../subjects/avatar-url.ts'
import { groupLoader } from '../../../subjects/group.ts'
import { projectLoader } from '../../../subjects/project.ts'
import { findAvatar } from './avatar.store.ts'
import { openAvatar } from './avatar.ts'

const readAvatar: Rule<unknown> = () => true // All callers who can see a project or group can see its avatar.

/** Headers that make browsers treat the uploaded bytes as nothing but an image. */
const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
}

async function serve(
  { db, actor, config }: Context<unknown, unknown>,
  owner: AvatarOwner,
): Promise<Answer> {
  const file_name = (await findAvatar(db, owner))?.file_name
  const avatar =
    file_name === undefined
      ? undefined
      : await openAvatar({ db, config }, actor, { owner, file_name })
  const bytes = await avatar?.read()
  if (!avatar || !bytes) throw notFound('Avatar')
  const { content_type, size } = avatar
  return Answer.raw(bytes, {
    ...safeHeaders,
    'content-type': content_type,
    'content-length': String(size),
  })
}

export const avatarEndpoints = [
  endpoint({
    route: 'GET /projects/:id/avatar',
    summary: 'Get the avatar of a project',
    tag: 'Projects',
    on: projectLoader,
    allow: readAvatar,
    answer: binaryBody('image/*'),
    run: (context) => serve(context, { kind: 'project', id: context.subject.id }),
  }),

  endpoint({
    route: 'GET /groups/:id/avatar',
    summary: 'Get the avatar of a group',
    tag: 'Groups',
    on: groupLoader,
    allow: readAvatar,
    answer: binaryBody('image/*'),
    run: (context) => serve(context, { kind: 'group', id: context.subject.id }),
  }),
]
