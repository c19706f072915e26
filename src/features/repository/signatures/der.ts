// As much of DER (ITU-T X.690) as it takes to find one's way in a certificate or a signed message.

/** `content` without, `whole` with its head. */
export type DerValue = { tag: number; content: Buffer; whole: Buffer }

/** The values that follow each other in `bytes`; undefined when they are no DER. */
export function readDer(bytes: Buffer): DerValue[] | undefined {
  const values: DerValue[] = []
  for (let at = 0; at < bytes.length; ) {
    const value = readValue(bytes.subarray(at))
    if (!value) return undefined
    values.push(value)
    at += value.whole.length
  }
  return values
}

function readValue(bytes: Buffer): DerValue | undefined {
  const [tag, first] = bytes
  // A tag above 30 takes several bytes; nothing read here has one.
  if (tag === undefined || first === undefined || (tag & 31) === 31) return undefined
  const width = first < 128 ? 0 : first - 128
  if (width > 4 || first === 128 || bytes.length < 2 + width) return undefined
  const length = width === 0 ? first : bytes.readUIntBE(2, width)
  const start = 2 + width
  if (start + length > bytes.length) return undefined
  return {
    tag,
    content: bytes.subarray(start, start + length),
    whole: bytes.subarray(0, start + length),
  }
}

/** The values inside a value; none where there is nothing to be read. */
export function inside(value: DerValue | undefined): DerValue[] {
  return value ? (readDer(value.content) ?? []) : []
}

/** The first value of that tag. */
export function withTag(values: readonly DerValue[], tag: number): DerValue | undefined {
  return values.find((value) => value.tag === tag)
}
