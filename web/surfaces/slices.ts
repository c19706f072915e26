// Work in slices, so that the page answers keys and pointers meanwhile.

const slice_ms = 8

/** Does the steps one after another, a few milliseconds at a time; `signal` ends it. */
export async function inSlices(steps: Iterable<() => void>, signal: AbortSignal): Promise<void> {
  let began = performance.now()
  for (const step of steps) {
    if (signal.aborted) return
    step()
    if (performance.now() - began < slice_ms) continue
    await pause()
    began = performance.now()
  }
}

/** Lets the browser paint and hear. */
function pause(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } }
  return scheduler?.yield?.() ?? new Promise((go) => setTimeout(go))
}
