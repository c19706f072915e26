// Public functions of Markdown: renders texts to HTML, so that nobody waits for another caller's long text.
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { unavailable } from '../../../kernel/errors.ts'
import { FairLimiter } from '../../../kernel/fair-limiter.ts'
import { limits } from '../../../kernel/limits.ts'
import type { MarkdownRenderRequest } from './render.ts'
import type { MarkupRequest } from './render-markup.ts'

export type { ReferenceLinks } from './render.ts'

const threads = new FairLimiter(limits.markdown.threads)

/**
 * Renders Markdown to safe HTML. Short texts are rendered at once; a long one in a thread, which is stopped if it takes
 * too long: throws 503 then. The libraries are loaded at the first call.
 */
export async function renderMarkdown(request: MarkdownRenderRequest): Promise<string> {
  const html = await renderHere(request)
  if (html !== undefined) return html
  const [made = ''] = await renderLong([request])
  return made
}

/** Returns undefined if the text must be rendered in a thread because it, or its formulas, are long. */
async function renderHere(request: MarkdownRenderRequest): Promise<string | undefined> {
  const { inline_characters, inline_formula_characters } = limits.markdown
  if (request.text.length > inline_characters) return undefined
  const { renderMarkdownHtml } = await import('./render.ts')
  const { TooManyFormulas } = await import('./formulas.ts')
  try {
    return renderMarkdownHtml(request, inline_formula_characters)
  } catch (error) {
    if (error instanceof TooManyFormulas) return undefined
    throw error
  }
}

/** Renders the description of a project, group or milestone, in which references are not links. */
export async function renderDescriptionHtml(
  text: string | null,
  uploadsUrl?: string,
): Promise<{ description_html: string }> {
  return { description_html: await renderMarkdown({ text: text ?? '', uploadsUrl }) }
}

/**
 * Safe HTML of the texts of a list. Others get their turn between them, and those that are long share one thread; what
 * comes after so many characters of all together is shown as it stands.
 */
export async function renderMarkdownTexts(
  requests: readonly MarkdownRenderRequest[],
): Promise<string[]> {
  const { renderPlainText } = await import('./render-markup.ts')
  const long: number[] = []
  const html: string[] = []
  const rendered = countRenderedTexts(requests.map(({ text }) => text))
  for (const [at, request] of requests.entries()) {
    const made = at < rendered ? await renderHere(request) : renderPlainText(request.text)
    if (made === undefined) long.push(at)
    else html[at] = made
    await setImmediate()
  }
  if (long.length === 0) return html
  const made = await renderLong(long.map((at) => requests[at] as MarkdownRenderRequest))
  for (const [index, at] of long.entries()) html[at] = made[index] ?? ''
  return html
}

/**
 * Returns how many of the first texts of a list `renderMarkdownTexts` renders: those with at most
 * `limits.markdown.page_characters_max` characters together.
 */
export function countRenderedTexts(texts: readonly string[]): number {
  let room = limits.markdown.page_characters_max
  const end = texts.findIndex((text) => {
    room -= text.length
    return room < 0
  })
  return end < 0 ? texts.length : end
}

/** Renders long texts in a thread. Throws 503 if all together take too long. */
async function renderLong(requests: readonly MarkdownRenderRequest[]): Promise<string[]> {
  const html = await inThread<string[]>(requests, limits.markdown.render_ms)
  if (!html) throw unavailable()
  return html
}

/**
 * Renders a text in `asciidoc`, `org` or `rdoc` to safe HTML, in a thread. A text that is too long, takes too long or has
 * another format is shown unrendered.
 */
export async function renderMarkupSafely(request: MarkupRequest): Promise<string> {
  const { text } = request
  const { markup } = limits.markdown
  const html =
    text.length > markup.characters_max
      ? undefined
      : await inThread<string>(request, markup.render_ms)
  return html ?? (await import('./render-markup.ts')).renderPlainText(text)
}

/** Returns undefined if the work takes too long or too much memory. Throws what `FairLimiter.acquire` throws. */
function inThread<Made>(
  work: readonly MarkdownRenderRequest[] | MarkupRequest,
  time_ms: number,
): Promise<Made | undefined> {
  return threads.run(async () => {
    const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: limits.markdown.thread_mb_max },
    })
    try {
      worker.postMessage(work)
      const signal = AbortSignal.timeout(time_ms)
      const [html] = await once(worker, 'message', { signal })
      return html as Made
    } catch (error) {
      const { name, code } = error as NodeJS.ErrnoException
      if (name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY') return undefined
      throw error
    } finally {
      await worker.terminate()
    }
  })
}
