// What the kit has opened for a test file ends with that file. The kit's modules stay for the next one:
// files run one after another in a process, for loading everything anew would take longer than most run.
const ends: (() => unknown)[] = []

/** Called when the file that runs now has ended; what came last ends first. */
export function atFileEnd(end: () => unknown): void {
  ends.push(end)
}

export async function endFile(): Promise<void> {
  for (let end = ends.pop(); end; end = ends.pop()) await end()
}
