// Where log lines go.

/**
 * Standard output, written to once in a turn of the event loop: a system call for each line costs as
 * much as reading a user. What is left is written as the process ends.
 */
export function standardOutput(): { write(line: string): void } {
  let lines = ''
  const flush = () => {
    if (lines === '') return
    const text = lines
    lines = ''
    process.stdout.write(text)
  }
  process.on('exit', flush)
  return {
    write(line) {
      if (lines === '') setImmediate(flush)
      lines += line
    },
  }
}
