import { parentPort } from 'node:worker_threads'
import { type FormatRequest, renderFormat } from './formats.ts'
import { type RenderRequest, render } from './render.ts'

parentPort?.on('message', async (work: readonly RenderRequest[] | FormatRequest) => {
  parentPort?.postMessage(
    'format' in work
      ? await renderFormat(work)
      : work.map((request) => render(request, Number.POSITIVE_INFINITY)),
  )
})
