// The references that only the server uses: one list for fetches, pushes and names in the API.

/** References that keep objects of pipelines and environments; no fetch offers them. */
const keptPrefixes = ['refs/keep-around/', 'refs/environments/']

/**
 * References of running pipelines. Every caller who may fetch the repository may fetch them: git sends a job's token only
 * after a 401, and a public repository never answers 401, so runners fetch them without credentials.
 */
const pipelinePrefix = 'refs/pipelines/'

/** Merge request heads can be fetched by everyone who may fetch the repository; only the server moves them. */
const mergeRequestPrefix = 'refs/merge-requests/'

/** Values of `transfer.hideRefs`: git does not offer these references for a fetch. */
export const hideRefsValues = keptPrefixes.map((prefix) => prefix.slice(0, -1))

/** Whether the API never resolves the reference. */
export function isHiddenRef(name: string): boolean {
  return [...keptPrefixes, pipelinePrefix].some((prefix) => name.startsWith(prefix))
}

/** Whether the reference belongs to the server: it is not offered to pushes, and no push may change it. */
export function isServerRef(name: string): boolean {
  return isHiddenRef(name) || name.startsWith(mergeRequestPrefix)
}
