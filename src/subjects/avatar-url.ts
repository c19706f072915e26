/** The record that an avatar belongs to. */
export type AvatarOwner = { kind: 'user' | 'project' | 'group' | 'topic'; id: number }

/** Returns the URL of an avatar; null if the owner has none. */
export function avatarUrl(
  baseUrl: string,
  { kind, id, avatar }: AvatarOwner & { avatar: string | null },
): string | null {
  return avatar === null ? null : `${baseUrl}/uploads/-/system/${kind}/avatar/${id}/${avatar}`
}
