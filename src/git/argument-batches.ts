import { limits } from '../kernel/limits.ts'

const { arguments_max, arguments_bytes_max } = limits.git_command

/** Splits names into lists, each short enough for one command beside its other arguments. Keeps their order. */
export function* splitIntoArgumentBatches(names: Iterable<string>): Generator<string[]> {
  let batch: string[] = []
  let bytes = 0
  for (const name of names) {
    const name_bytes = Buffer.byteLength(name) + 1
    const isFull =
      batch.length === arguments_max / 2 || bytes + name_bytes > arguments_bytes_max / 2
    if (isFull && batch.length > 0) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(name)
    bytes += name_bytes
  }
  if (batch.length > 0) yield batch
}
