// What the kit has opened for a test file ends with that file. The kit's modules stay for the next one:
// files run one after another in a process, for loading everything anew would take longer than most run.
const ends: (() => unknown)[] = []

/**
 * Called when the file that runs now has ended; what came last ends first. It forgets what it ends before it
 * waits for anything, so that the next file begins anew however long that takes, or if it fails.
 */
export function atFileEnd(end: () => unknown): void {
  ends.push(end)
}

export async function endFile(): Promise<void> {
  // All are called at once, for one that fails must leave nothing to the next file.
  const ended = await Promise.allSettled(
    ends
      .splice(0)
      .reverse()
      .map(async (end) => end()),
  )
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed) throw (failed as PromiseRejectedResult).reason
}
