/** How much is made and for how long it is measured; `--quick` is for trying the bench itself. */
export type Sizes = {
  projects: readonly number[]
  commits: readonly [number, number]
  branches: readonly [number, number]
  /** How long one rate is taken. */
  rate_s: number
  /** Samples of one time. */
  samples: number
  /** API commits of one measurement. */
  commits_made: number
  heavy_mb: number
  transfers: number
  pushed_commits: number
  parallel_clones: number
  load_s: number
  /** Pages of wikis. */
  wiki_pages: readonly number[]
  /** Rows of what administrators keep. */
  administered: readonly number[]
  /** Of reports of scanners. */
  reports_mb: readonly number[]
  /** Of the repository that moves between storages. */
  moved_mb: number
  /** Vulnerabilities of one export. */
  exported: readonly [number, number]
  /** Of the suite of real size: issues of one project, jobs of one pipeline, and one job's log. */
  large_issues: number
  large_jobs: number
  large_log_mb: number
  /** Of the same suite: commits of ten objects each, all binaries, and the largest of them. */
  large_commits: number
  large_mb: number
  largest_mb: number
}

export function sizesOf({ isQuick }: { isQuick: boolean }): Sizes {
  if (isQuick) {
    return {
      projects: [100, 2000],
      commits: [100, 5000],
      branches: [10, 1000],
      rate_s: 1,
      samples: 10,
      commits_made: 40,
      heavy_mb: 20,
      transfers: 2,
      pushed_commits: 100,
      parallel_clones: 5,
      load_s: 20,
      wiki_pages: [100, 1000],
      administered: [100, 1000],
      reports_mb: [0.05, 2],
      moved_mb: 64,
      exported: [1000, 50_000],
      large_commits: 5_000,
      large_issues: 5_000,
      large_jobs: 50,
      large_log_mb: 10,
      large_mb: 200,
      largest_mb: 100,
    }
  }
  return {
    projects: [100, 10_000, 50_000],
    commits: [100, 100_000],
    branches: [10, 10_000],
    rate_s: 4,
    samples: 40,
    commits_made: 300,
    heavy_mb: 230,
    transfers: 5,
    pushed_commits: 1000,
    parallel_clones: 20,
    load_s: 60,
    wiki_pages: [100, 1000, 10_000],
    administered: [100, 10_000, 100_000],
    reports_mb: [0.05, 5, 50],
    moved_mb: 1024,
    exported: [10_000, 1_000_000],
    large_commits: 100_000,
    large_issues: 200_000,
    large_jobs: 500,
    large_log_mb: 100,
    large_mb: 5_000,
    largest_mb: 1_500,
  }
}
