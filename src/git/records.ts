/**
 * The texts in git's output that `separator` ends, as many at a time as came together. A text may be as
 * long as somebody made a name or a path: its pieces are joined once, not again with each one that comes.
 */
export async function* readRecords(
  output: AsyncIterable<string>,
  separator: string,
): AsyncGenerator<string[]> {
  let open: string[] = []
  for await (const chunk of output) {
    const records = chunk.split(separator)
    const last = records.pop() ?? ''
    if (records[0] !== undefined) {
      records[0] = [...open, records[0]].join('')
      open = []
      yield records
    }
    open.push(last)
  }
}
