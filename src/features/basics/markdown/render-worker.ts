import { parentPort } from 'node:worker_threads'
import { type FormatRequest, renderFormat } from './formats.ts'
import { type RenderRequest, render } from './render.ts'

parentPort?.on('message', async (request: RenderRequest | FormatRequest) => {
  parentPort?.postMessage('format' in request ? await renderFormat(request) : render(request))
})
