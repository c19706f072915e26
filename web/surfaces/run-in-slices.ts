// Long work on the page, cut so that keys and pointers are answered in between.

const slice_ms = 8

/** Does the steps in slices of 8 ms; answers how to end it before. */
export function runInSlices(steps: Iterable<unknown>): () => void {
  const rest = steps[Symbol.iterator]()
  let isOver = false
  const channel = new MessageChannel()
  const end = () => {
    isOver = true
    channel.port1.close()
  }
  channel.port1.onmessage = () => {
    const until = performance.now() + slice_ms
    while (!isOver && performance.now() < until) {
      if (rest.next().done) return end()
    }
    if (!isOver) channel.port2.postMessage(0)
  }
  channel.port2.postMessage(0)
  return end
}
