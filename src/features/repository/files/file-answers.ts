// A cache of complete responses for small files.
import { LRUCache } from 'lru-cache'
import { Answer } from '../../../http/answer.ts'
import { JsonText } from '../../../http/json-text.ts'
import type { FileAtRef } from './file.present.ts'

/** The responses of larger files are not cached. */
const file_bytes_max = 64 * 1024

/** The maximum size of all cached responses: their bodies, and about a kilobyte of headers each. */
const kept_bytes_max = 8 * 1024 * 1024
const headers_bytes = 1024

const kept = new LRUCache<string, { answer: Answer; body_bytes: number }>({
  maxSize: kept_bytes_max,
  sizeCalculation: ({ body_bytes }) => body_bytes + headers_bytes,
})

/**
 * Caches a response about a file and its content, which `make` creates at the first request. It never changes, since a
 * commit always has the same content at a path. The caller's access to the repository has been checked.
 */
export async function keepFileAnswer(
  kind: 'json' | 'raw',
  { file, path, ref }: FileAtRef,
  make: () => Promise<Answer>,
): Promise<Answer> {
  if (file.size > file_bytes_max) return make()
  const key = `${kind}\0${file.repository.path}\0${file.commit}\0${path}\0${ref}`
  const found = kept.get(key)
  if (found) return found.answer
  const made = await make()
  const { status, body } = made
  // Header names are sent in lower case, so they are converted once before the response is cached.
  const headers = Object.fromEntries(
    Object.entries(made.headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  if (made.isRaw) {
    const bytes = body as Buffer
    const answer = Answer.raw(bytes, headers as Record<string, string>, status)
    kept.set(key, { answer, body_bytes: bytes.length })
    return answer
  }
  const text = new JsonText(body)
  const answer = Answer.json(status, text, headers)
  kept.set(key, { answer, body_bytes: text.bytes.length })
  return answer
}
