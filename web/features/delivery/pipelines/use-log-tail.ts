import { useEffect, useState } from 'preact/hooks'
import { fetchBytes } from '../../../api/call.ts'
import { withoutAnsiColours } from '../../../surfaces/log/plain-line.ts'

const end_bytes = 4_096
const lines_max = 6

/** The last lines of a log that say something; undefined until they are there, and of a job without a log. */
export function useLogTail(url: string): string | undefined {
  const [end, setEnd] = useState<string>()
  useEffect(() => {
    const work = new AbortController()
    readEnd(url, work.signal).then(setEnd, () => undefined)
    return () => work.abort()
  }, [url])
  return end === '' ? undefined : end
}

async function readEnd(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetchBytes(url, { range: `bytes=-${end_bytes}`, signal })
  // For an empty log the server responds with 416.
  if (response.status === 416) return ''
  const text = new TextDecoder().decode(await response.arrayBuffer())
  const isWhole = response.headers.get('content-range')?.startsWith('bytes 0-') ?? true
  const lines = text
    .split('\n')
    .slice(isWhole ? 0 : 1)
    .map(withoutAnsiColours)
  return lines
    .filter((line) => line.trim() !== '')
    .slice(-lines_max)
    .join('\n')
}
