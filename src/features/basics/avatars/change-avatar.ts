import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { UploadedFile } from '../../../http/raw-parameters.ts'
import type { AvatarOwner } from '../../../subjects/avatar-url.ts'
import { linkAvatar, type StoredAvatar, storeAvatar, unlinkAvatar } from './avatar.ts'

/** A new avatar, null to remove the current one, undefined to keep it. */
export type AvatarChange = StoredAvatar | null | undefined

/** Stores the avatar of a form, before the transaction of the change. Throws 400 if it is not an image. */
export async function storeUploadedAvatar(
  uses: Pick<Instance, 'db' | 'clock' | 'config'>,
  given: UploadedFile | null | undefined,
): Promise<AvatarChange> {
  return given ? storeAvatar(uses, given) : given
}

/** Sets or removes the avatar of an owner. Returns the owner's column if it changes. */
export async function changeAvatar(
  tx: Db,
  { owner, change, now }: { owner: AvatarOwner; change: AvatarChange; now: string },
): Promise<{ avatar?: string | null }> {
  if (change === undefined) return {}
  if (change === null) await unlinkAvatar(tx, { owner, now })
  else await linkAvatar(tx, { owner, stored: change, now })
  return { avatar: change?.file_name ?? null }
}
