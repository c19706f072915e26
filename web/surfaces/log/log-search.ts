// Looks through a whole log as its bytes come, without keeping them.
import { withoutAnsiColours } from './plain-line.ts'

const hits_max = 5_000

export type Search = {
  fits: (line: string) => boolean
  signal: AbortSignal
  most?: number
  /** Told after each piece that came: the lines found so far, and the bytes read. */
  onPiece?: (hits: readonly number[], bytes: number) => void
}

/** The lines, counted from 1, that fit; the first `most` of them, 5,000 unless told. */
export async function searchLog(
  stream: ReadableStream<Uint8Array>,
  { fits, signal, most = hits_max, onPiece }: Search,
): Promise<number[]> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const hits: number[] = []
  let rest = ''
  let line = 0
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (signal.aborted) return hits
      const text = rest + decoder.decode(value, { stream: !done })
      const lines = text.split('\n')
      rest = done ? '' : (lines.pop() ?? '')
      for (const one of lines) {
        line += 1
        if (!fits(withoutAnsiColours(one))) continue
        hits.push(line)
        if (hits.length >= most) return hits
      }
      bytes += value?.length ?? 0
      onPiece?.(hits, bytes)
      if (done) return hits
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
