import { parentPort } from 'node:worker_threads'
import { type MarkdownRenderRequest, renderMarkdownHtml } from './render.ts'
import { type MarkupRequest, renderMarkup } from './render-markup.ts'

parentPort?.on('message', async (work: readonly MarkdownRenderRequest[] | MarkupRequest) => {
  parentPort?.postMessage(
    'format' in work
      ? await renderMarkup(work)
      : work.map((request) => renderMarkdownHtml(request, Number.POSITIVE_INFINITY)),
  )
})
