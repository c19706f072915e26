import { parentPort } from 'node:worker_threads'
import { type RenderRequest, render } from './render.ts'

parentPort?.on('message', (request: RenderRequest) => {
  parentPort?.postMessage(render(request))
})
