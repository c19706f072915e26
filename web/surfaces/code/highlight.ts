// Asks the worker for colours. One worker for all pages, started when first wanted.
import { startWorker } from '../html.ts'
import workerUrl from './highlight.worker.ts?worker&url'

/** Longer texts, and texts with longer lines, stay as they are: a generated file is no reading. */
const characters_max = 1_500_000
const line_characters_max = 20_000

let worker: Worker | undefined
let asked = 0
const waiting = new Map<number, (lines: string[]) => void>()

/** Lines of HTML, as many as the text has; empty where it has no colours. */
export function highlight(text: string, language: string | undefined): Promise<string[]> {
  if (!language || text.length > characters_max || hasLongLine(text)) return Promise.resolve([])
  worker ??= open()
  const id = ++asked
  const answer = new Promise<string[]>((done) => waiting.set(id, done))
  worker.postMessage({ id, text, language })
  return answer
}

function open(): Worker {
  const opened = startWorker(workerUrl)
  opened.onmessage = ({ data }: MessageEvent<{ id: number; lines: string[] }>) => {
    waiting.get(data.id)?.(data.lines)
    waiting.delete(data.id)
  }
  return opened
}

function hasLongLine(text: string): boolean {
  let from = 0
  while (from < text.length) {
    const end = text.indexOf('\n', from)
    if ((end < 0 ? text.length : end) - from > line_characters_max) return true
    if (end < 0) return false
    from = end + 1
  }
  return false
}
