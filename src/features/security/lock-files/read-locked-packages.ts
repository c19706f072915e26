/** Takes a thing from a lock file with the one version it is locked to; what is no text of either is passed over. */
export type AddLockedPackage = (name: unknown, version: unknown) => void

/** Tells of all that is in a lock file, which comes in pieces. */
export type ReadLockedPackages = (
  content: AsyncIterable<Buffer>,
  add: AddLockedPackage,
) => Promise<void>
