/** Whose picture it is. */
export type AvatarOwner = { kind: 'user' | 'project' | 'group' | 'topic'; id: number }

/** Where a picture is served, or null for an owner without one. */
export function avatarUrl(
  baseUrl: string,
  { kind, id, avatar }: AvatarOwner & { avatar: string | null },
): string | null {
  return avatar === null ? null : `${baseUrl}/uploads/-/system/${kind}/avatar/${id}/${avatar}`
}
