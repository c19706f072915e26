// A text as a QR code, drawn as one path: dark modules on light ground in both themes, as cameras want it.

import { useEffect, useState } from 'preact/hooks'
import type { encode } from 'uqr'
import './qr-code.css'

type Encode = typeof encode
/** Modules of quiet ground around the code (ISO/IEC 18004, 5.3.8). */
const quiet = 4

/** Nothing until the encoder is there, which is loaded when the first code is wanted. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [make, setMake] = useState<Encode>()
  useEffect(() => {
    // Without it the text beside the code does.
    import('uqr').then(
      (module) => setMake(() => module.encode),
      () => {},
    )
  }, [])
  if (!make) return null
  const { data, size } = make(text, { ecc: 'M', border: quiet })
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <path d={pathOf(data)} />
    </svg>
  )
}

/** A rectangle for each run of dark modules in a row. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) =>
      row.flatMap((isDark, x) => {
        if (!isDark || row[x - 1]) return []
        const end = row.indexOf(false, x)
        const width = (end < 0 ? row.length : end) - x
        return [`M${x} ${y}h${width}v1h-${width}z`]
      }),
    )
    .join('')
}
