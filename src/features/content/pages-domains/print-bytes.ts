/** `a1:b2`. */
export function colonHex(bytes: Buffer): string {
  return bytes.toString('hex').replace(/..(?!$)/g, '$&:')
}

/** So many octets a line, each line but the last ending in a colon. */
export function hexLines(bytes: Buffer, octets: number, indent: number): string[] {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += octets) {
    const isLast = at + octets >= bytes.length
    const line = colonHex(bytes.subarray(at, at + octets))
    lines.push(`${' '.repeat(indent)}${line}${isLast ? '' : ':'}`)
  }
  return lines
}

/** Whatever is no plain character is a dot. */
export function printableAscii(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[^\x20-\x7e\r\n]/g, '.')
}
