/** Runs of tasks that this process has finished since it started, and how many of them failed. */
export const taskRunCounts = { processed: 0, failed: 0 }
