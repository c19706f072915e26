// The references that are the server's own: one list for fetches, pushes and whoever names one in the API.

/** Kept for objects that pipelines and environments need; nobody sees them by any way. */
const hiddenPrefixes = ['refs/keep-around/', 'refs/pipelines/', 'refs/environments/']

/** Whoever reads code may fetch the heads of merge requests; only the server moves them. */
const fixedPrefixes = ['refs/merge-requests/']

/** Values of `transfer.hideRefs`: git itself leaves them out of what it offers for a fetch. */
export const hiddenFromFetches = hiddenPrefixes.map((prefix) => prefix.slice(0, -1))

/** Whether nobody may know of the reference. */
export function isHiddenRef(name: string): boolean {
  return hiddenPrefixes.some((prefix) => name.startsWith(prefix))
}

/** Whether no push may change the reference, and none is told of it. */
export function isServersRef(name: string): boolean {
  return isHiddenRef(name) || fixedPrefixes.some((prefix) => name.startsWith(prefix))
}
