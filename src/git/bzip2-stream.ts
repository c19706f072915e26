import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** What goes to the thread at once: much for a message, little for memory. */
const batch_bytes = 256 * 1024

/** The bytes compressed with bzip2, in a thread that ends with them. */
export async function* compressBzip2(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const worker = new Worker(new URL('./bzip2-worker.ts', import.meta.url))
  const ask = async (bytes: Uint8Array | null): Promise<Buffer> => {
    worker.postMessage(bytes)
    // A thread that fails makes this fail.
    const [answer] = await once(worker, 'message')
    return Buffer.from(answer)
  }
  try {
    let batch: Buffer[] = []
    let size = 0
    for await (const chunk of source) {
      batch.push(chunk)
      size += chunk.length
      if (size < batch_bytes) continue
      const ready = await ask(Buffer.concat(batch))
      if (ready.length > 0) yield ready
      batch = []
      size = 0
    }
    yield await ask(Buffer.concat(batch))
    yield await ask(null)
  } finally {
    await worker.terminate()
  }
}
