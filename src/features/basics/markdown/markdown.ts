// The public face of Markdown: texts become HTML without anybody waiting for somebody else's long one.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Budget } from '../../../kernel/budget.ts'
import { unavailable } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import type { FormatRequest } from './formats.ts'
import type { RenderRequest } from './render.ts'

export type { Links } from './render.ts'

const threads = new Budget(limits.markdown.threads)

/**
 * Safe HTML of a text in Markdown. Short texts are made at once; a long one in a thread of its own, which is
 * ended when it takes too long: 503 then. The libraries are loaded when somebody first asks.
 */
export async function renderMarkdown(request: RenderRequest): Promise<string> {
  if (request.text.length <= limits.markdown.inline_characters) {
    const { render } = await import('./render.ts')
    return render(request)
  }
  const html = await inThread(request, limits.markdown.render_ms)
  if (html === undefined) throw unavailable()
  return html
}

/**
 * Safe HTML of a text in `asciidoc`, `org` or `rdoc`, made in a thread of its own. One that is long or takes long,
 * and a text in any other format, is shown as it stands.
 */
export async function renderOther(request: FormatRequest): Promise<string> {
  const { text } = request
  const { markup } = limits.markdown
  const html =
    text.length > markup.characters_max ? undefined : await inThread(request, markup.render_ms)
  return html ?? (await import('./formats.ts')).plain(text)
}

/** Undefined when it takes too long, or too much memory. Throws what Budget throws. */
function inThread(
  request: RenderRequest | FormatRequest,
  time_ms: number,
): Promise<string | undefined> {
  return threads.run(async () => {
    const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: limits.markdown.thread_mb_max },
    })
    try {
      worker.postMessage(request)
      const signal = AbortSignal.timeout(time_ms)
      const [html] = await once(worker, 'message', { signal })
      return html as string
    } catch (error) {
      const { name, code } = error as NodeJS.ErrnoException
      if (name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY') return undefined
      throw error
    } finally {
      await worker.terminate()
    }
  })
}
