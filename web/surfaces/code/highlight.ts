// Asks the worker for colours. Text is shown before; without colours it stays as it is.
import { startWorker } from '../html.ts'
import workerUrl from './code.worker.ts?worker&url'

/** Beyond this a file is shown without colours: nobody waits for them. */
const coloured_max = 600_000
const line_max = 5_000

let worker: Worker | undefined
let asked = 0
const waiting = new Map<number, (lines: string[] | undefined) => void>()

/** Lines of HTML with the classes of highlight.js; undefined where there are none to be had. */
export function highlightToHtmlLines(
  text: string,
  language: string,
): Promise<string[] | undefined> {
  if (text.length > coloured_max || hasLongLine(text)) return Promise.resolve(undefined)
  worker ??= start()
  const id = ++asked
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    worker?.postMessage({ id, text, language })
  })
}

function start(): Worker {
  const made = startWorker(workerUrl)
  made.addEventListener('message', ({ data }: MessageEvent<{ id: number; lines?: string[] }>) => {
    waiting.get(data.id)?.(data.lines)
    waiting.delete(data.id)
  })
  made.addEventListener('error', () => {
    for (const resolve of waiting.values()) resolve(undefined)
    waiting.clear()
  })
  return made
}

function hasLongLine(text: string): boolean {
  let begin = 0
  while (begin < text.length) {
    const end = text.indexOf('\n', begin)
    if ((end < 0 ? text.length : end) - begin > line_max) return true
    if (end < 0) return false
    begin = end + 1
  }
  return false
}
