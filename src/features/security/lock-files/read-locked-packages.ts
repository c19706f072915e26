/** Called with a package and its locked version. Values that are not texts are skipped. */
export type AddLockedPackage = (name: unknown, version: unknown) => void

/** Reads all packages of a lock file, which arrives in chunks. */
export type ReadLockedPackages = (
  content: AsyncIterable<Buffer>,
  add: AddLockedPackage,
) => Promise<void>
