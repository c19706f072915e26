// Public functions of avatars of users, projects and groups. The row of the owner has the file name in its column
// `avatar`, so lists need no query here; the bytes and their type are stored here.

import { Readable } from 'node:stream'
import type { Actor } from '../../../access/actor.ts'
import { newBlobName, ownBlobPlace } from '../../../blobs/blob-place.ts'
import { blobStoreOf, readBlob, receiveBlob } from '../../../blobs/blob-store.ts'
import type { Db, Schema } from '../../../db/db.ts'
import { lockRowUntilCommit } from '../../../db/dialect.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { UploadedFile } from '../../../http/raw-parameters.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { invalid } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import type { AvatarOwner } from '../../../subjects/avatar-url.ts'
import {
  assignAvatar,
  findAvatar,
  insertAvatar,
  isAvatarOwnerVisible,
  unassignAvatar,
} from './avatar.store.ts'
import { allowedImageTypes, detectImageType, safeImageFileName } from './image-type.ts'

/** A stored avatar that belongs to nobody yet. It must be linked within an hour. */
export type StoredAvatar = { id: number; file_name: string }

/**
 * Stores an avatar: first a row, so that after a crash the recurring task finds it. Throws 400 with the messages that
 * clients know if it is not an image or too large. Call it outside of a transaction, then `linkAvatar` in the transaction
 * that changes the owner.
 */
export async function storeAvatar(
  { db, clock, config }: Pick<Instance, 'db' | 'clock' | 'config'>,
  file: UploadedFile,
): Promise<StoredAvatar> {
  const content_type = detectImageType(file.content)
  const problem = !content_type
    ? `file format is not supported. Please try one of the following supported formats: ${allowedImageTypes.join(', ')}`
    : file.content.length > limits.avatar_bytes
      ? `is too big (should be at most ${limits.avatar_bytes / 1024} KB)`
      : undefined
  if (!content_type || problem) throw invalid({ avatar: [problem ?? 'is invalid'] })
  const blob = newBlobName()
  const size = file.content.length
  const file_name = safeImageFileName(file, content_type)
  const row = { blob, file_name, content_type, size, now: timestamp(clock) }
  const id = await insertAvatar(db, row)
  const received = await receiveBlob(blobStoreOf(config), Readable.from([file.content]), {
    place: ownBlobPlace('avatars', blob),
    bytes_max: size,
  })
  try {
    await received.commit()
  } catch (error) {
    await received.discard()
    throw error
  }
  return { id, file_name }
}

/**
 * Makes a stored avatar that of its owner, in place of the previous one. The caller sets the owner's `avatar` to its
 * `file_name` in the same transaction.
 */
export async function linkAvatar(
  tx: Db,
  { owner, stored, now }: { owner: AvatarOwner; stored: StoredAvatar; now: string },
): Promise<void> {
  // Concurrent changes of the same owner's avatar wait for this lock.
  await lockRowUntilCommit(tx, ownerTables[owner.kind], owner.id)
  await unassignAvatar(tx, owner, now)
  await assignAvatar(tx, owner, stored.id)
}

const ownerTables = {
  project: 'projects',
  group: 'namespaces',
  user: 'users',
  topic: 'topics',
} as const satisfies Record<AvatarOwner['kind'], keyof Schema>

/** Removes the avatar from its owner, who may be about to be deleted. The recurring task deletes the file. */
export function unlinkAvatar(
  tx: Db,
  { owner, now }: { owner: AvatarOwner; now: string },
): Promise<void> {
  return unassignAvatar(tx, owner, now)
}

/** An avatar to send; `tag` changes with its bytes. */
export type ServedAvatar = {
  content_type: string
  size: number
  tag: string
  /** Returns undefined if the bytes were deleted in the meantime. */
  read: () => Promise<Readable | undefined>
}

/**
 * Opens the avatar with that owner and file name if the actor can see the owner. Users and topics are visible to everybody.
 */
export async function openAvatar(
  { db, config }: Pick<Instance, 'db' | 'config'>,
  actor: Actor,
  { owner, file_name }: { owner: AvatarOwner; file_name: string },
): Promise<ServedAvatar | undefined> {
  const found = await findAvatar(db, owner)
  if (found?.file_name !== file_name || !(await isAvatarOwnerVisible(db, actor, owner)))
    return undefined
  const { content_type, size, blob } = found
  const read = () => readBlob(blobStoreOf(config), ownBlobPlace('avatars', blob))
  return { content_type, size, tag: `"${blob.slice(0, 32)}"`, read }
}
