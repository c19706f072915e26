// The contents of a file at a commit, which never change: read once, and of a large one the beginning alone.
import { fetchBytes, untypedApiUrl } from './call.ts'

/** `text` is undefined for what is no text; `isWhole` is false where more is to be had by Raw. */
export type FileContents = {
  size: number
  text: string | undefined
  isWhole: boolean
  lastCommit: string
}

const head_bytes = 1024 * 1024
const kept_max = 12
const kept = new Map<string, Promise<FileContents>>()
const known = new Map<string, FileContents>()

type Asked = { id: number; path: string; commit: string }

const urlFor = ({ id, path, commit }: Asked) =>
  untypedApiUrl('GET /projects/:id/repository/files/:file_path/raw', {
    id,
    file_path: path,
    ref: commit,
  })

/** What was read before, at once. */
export function findCachedFile(asked: Asked): FileContents | undefined {
  return known.get(urlFor(asked))
}

/** The text of a file that is read whole; undefined for one that is too large or no text. */
export async function readFileText(asked: Asked): Promise<string | undefined> {
  const { text, isWhole } = await readFile(asked)
  return isWhole ? text : undefined
}

/** Throws `Refusal`. */
export function readFile(asked: Asked): Promise<FileContents> {
  const url = urlFor(asked)
  const before = kept.get(url)
  if (before) return before
  const reading = fetchHead(url)
  kept.set(url, reading)
  reading.then(
    (contents) => known.set(url, contents),
    () => kept.delete(url),
  )
  const [oldest] = kept.keys()
  if (kept.size > kept_max && oldest !== undefined) {
    kept.delete(oldest)
    known.delete(oldest)
  }
  return reading
}

async function fetchHead(url: string): Promise<FileContents> {
  const { headers, body } = await fetchBytes(url)
  const said = (name: string) => headers.get(`x-service-${name}`)
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body?.getReader()
  while (reader && length < head_bytes) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  const size = Number(said('size') ?? length)
  const isWhole = size <= head_bytes
  if (!isWhole) void reader?.cancel()
  // However it came in parts, the beginning is the same.
  const head = new Blob(chunks as BlobPart[]).slice(0, head_bytes)
  const bytes = new Uint8Array(await head.arrayBuffer())
  return {
    size,
    isWhole,
    text: bytes.subarray(0, 8_000).includes(0) ? undefined : decode(bytes, isWhole),
    lastCommit: said('last-commit-id') ?? '',
  }
}

/** Whole lines, where it is not the whole file. */
function decode(bytes: Uint8Array, isWhole: boolean): string {
  const text = new TextDecoder().decode(bytes)
  return isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1 || undefined)
}
