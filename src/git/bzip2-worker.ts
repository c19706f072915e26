// The thread that compresses with bzip2: gets bytes, and null for their end; answers what is ready.
import { parentPort } from 'node:worker_threads'
import { Bzip2 } from '../kernel/bzip2.ts'

const bzip2 = new Bzip2()

parentPort?.on('message', (bytes: Uint8Array | null) => {
  parentPort?.postMessage(bytes === null ? bzip2.end() : bzip2.push(bytes))
})
