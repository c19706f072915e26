/** Formats bytes as `a1:b2`. */
export function formatColonHex(bytes: Buffer): string {
  return bytes.toString('hex').replace(/..(?!$)/g, '$&:')
}

/** Formats bytes with a number of them on each line. Each line but the last ends in a colon. */
export function formatHexLines(bytes: Buffer, octets: number, indent: number): string[] {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += octets) {
    const isLast = at + octets >= bytes.length
    const line = formatColonHex(bytes.subarray(at, at + octets))
    lines.push(`${' '.repeat(indent)}${line}${isLast ? '' : ':'}`)
  }
  return lines
}

/** Replaces everything but printable ASCII by dots. */
export function toPrintableAscii(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[^\x20-\x7e\r\n]/g, '.')
}
