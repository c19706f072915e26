import { parentPort } from 'node:worker_threads'
import { renderFormat } from './formats.ts'
import { type RenderRequest, render } from './render.ts'

parentPort?.on('message', async (request: RenderRequest | { format: string; text: string }) => {
  parentPort?.postMessage(
    'format' in request ? await renderFormat(request.format, request.text) : render(request),
  )
})
