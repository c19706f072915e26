const units = ['KB', 'MB', 'GB', 'TB', 'PB'] as const

/** Formats bytes with two significant digits in powers of 1024, as `1.5 GB`; below 1024 as bytes. */
export function formatHumanSize(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 Byte' : `${bytes} Bytes`
  let size = bytes
  let unit = ''
  for (const larger of units) {
    if (size < 1024) break
    size /= 1024
    unit = larger
  }
  return `${Number(size.toPrecision(2))} ${unit}`
}
